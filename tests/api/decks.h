// Models for the tests of the public interface, and what they share.
#pragma once

#include <cstring>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "../app/support.h"
#include "trammel/trammel.hpp"

namespace trammel_test {

/// A mass of 2 kg on a spring of 8 N/m along X, from x = 1 at rest: x = cos 2t; it does not turn.
inline std::string oscillator(const std::string& more = "") {
  return "oscillator\nPART/1,GROUND\nMARKER/10,PART=1\nPART/2,MASS=2,CM=20,IP=1,1,1,QG=1,0,0\nMARKER/"
         "20,PART=2\n"
         "MARKER/11,PART=1,REULER=90D,90D,0\nSFORCE/"
         "1,TRANSLATION,I=20,J=11,ACTIONONLY,FUNCTION=-8*DX(20,10)\n" +
         more + "END\n";
}

/// A rod on a pin, with a spring, a state and a force that an expression reads: something of every block.
inline std::string of_all_kinds() {
  return "title\nACCGRAV/JGRAV=-9.81\nPART/1,GROUND\nMARKER/10,PART=1\nMARKER/11,PART=1,QP=0,2,1\n"
         "PART/2,MASS=1.5,CM=20,IP=1,2,3,QG=1,0,0,WX=.3,WY=1\nMARKER/20,PART=2\nMARKER/21,PART=2,QP=-1,0,0\n"
         "MARKER/22,PART=2,QP=.2,.1,.3\nJOINT/1,SPHERICAL,I=21,J=10\n"
         "SPRINGDAMPER/1,TRANSLATION,I=22,J=11,K=20,C=.7,LENGTH=1\nDIFF/1,IC=.1,FUNCTION=DX(20,10)-2*DIF(1)\n"
         "VARIABLE/1,FUNCTION=FX(22,11)*DIF(1)\n"
         "SFORCE/2,TRANSLATION,I=20,J=11,FUNCTION=VARVAL(1)*.1-2*VR(20,11)\nEND\n";
}

/// All values of two lists, bit by bit.
inline bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

/// What records deliver, one after the other.
struct Records {
  std::vector<double> times, values;
  int stop_at = -1;  ///< the record at which the simulation is stopped
  void listen(trammel::Model& model) {
    model.on_record([this](double t, std::span<const double> list) {
      times.push_back(t);
      values.insert(values.end(), list.begin(), list.end());
      return static_cast<int>(times.size()) != stop_at;
    });
  }
};

/// Status and text of what an action throws; 0 where it throws nothing.
struct Thrown {
  int status = 0;
  std::string text;
};
template <class Action>
Thrown thrown(const Action& action) {
  try {
    action();
  } catch (const trammel::Error& error) {
    return {error.status(), error.what()};
  }
  return {};
}

}  // namespace trammel_test
