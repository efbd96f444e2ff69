// The deck of the tests of saved states: two links, the outer one on a spring and a damper, with a state, and
// a sensor that shortens the output steps.
#pragma once

#include <string>

namespace trammel_test {

/// `more`: further statements.
inline std::string links(const std::string& more = "") {
  return "links\nUNITS/UCF=1\nACCGRAV/KGRAV=-9.81\nPART/1,GROUND\nMARKER/1,PART=1\n"
         "PART/2,MASS=1,CM=20,IP=.1,.1,.1\nMARKER/20,PART=2,QP=.5,0,0\nMARKER/21,PART=2\n"
         "MARKER/22,PART=2,QP=1,0,0\n"
         "PART/3,QG=1,0,0,MASS=1,CM=30,IP=.1,.1,.1,WZ=3\nMARKER/30,PART=3,QP=.5,0,0\nMARKER/31,PART=3\n"
         "JOINT/1,REVOLUTE,I=21,J=1\nJOINT/2,REVOLUTE,I=31,J=22\n"
         "SPRINGDAMPER/1,TRANSLATION,I=30,J=1,K=50,LENGTH=1,C=.3\nDIFF/1,IC=0,FUNCTION=DX(30,1)-DIF(1)\n"
         "SFORCE/1,ROTATION,I=31,J=22,FUNCTION=-2*DIF(1)\n"
         "SENSOR/1,GE,VALUE=.7,ERROR=1e-3,DT=.015,FUNCTION=TIME\n" +
         more + "END\n";
}

}  // namespace trammel_test
