"""Small tools shared by the reference.py scripts of the model folders.

Nothing here knows the solver or reads a deck: a reference script states the
mechanics of its model in minimal coordinates (or in closed form), integrates
them with a tight tolerance, and writes expected.json and figure.svg.

Needs Python 3.9+; integrate() and hht() need numpy and scipy (some models also mpmath), motion() does not.
"""
import json
import math
import os


# --------------------------------------------------------------------------
# integration
# --------------------------------------------------------------------------
def integrate(accel, q0, v0, times, rtol=1e-13, atol=1e-14):
    """q'' = accel(t, q, v) with DOP853; returns q(times), v(times)."""
    import numpy as np
    from scipy.integrate import solve_ivp

    q0 = np.atleast_1d(np.asarray(q0, float))
    v0 = np.atleast_1d(np.asarray(v0, float))
    n = len(q0)

    def rhs(t, y):
        return np.concatenate((y[n:], np.atleast_1d(accel(t, y[:n], y[n:]))))

    times = np.asarray(times, float)
    out = np.empty((len(times), 2 * n))
    y, t = np.concatenate((q0, v0)), 0.0
    for k, te in enumerate(times):
        if te > t:
            s = solve_ivp(rhs, (t, te), y, method="DOP853", rtol=rtol, atol=atol)
            if not s.success:
                raise RuntimeError(s.message)
            y, t = s.y[:, -1], te
        out[k] = y
    return out[:, :n], out[:, n:]


def hht(accel, q0, v0, times, error, hmax, alpha=-0.3):
    """HHT with error control on the same ODE (used for tolerances only).

    A second-order method at the ERROR of the deck has a global error that no
    local tolerance tells; running the method on the reference ODE measures it.
    Returns q(times), v(times), number of steps.
    """
    import numpy as np

    beta, gamma = (1 - alpha) ** 2 / 4, 0.5 - alpha
    c = beta - 1 / (6 * (1 + alpha))
    q = np.atleast_1d(np.asarray(q0, float)).copy()
    v = np.atleast_1d(np.asarray(v0, float)).copy()
    a_true = np.atleast_1d(accel(0.0, q, v))
    a = a_true.copy()
    y_scale = np.maximum(1.0, np.abs(q))
    p, t, h, steps = len(q), 0.0, hmax / 20, 0
    qs, vs = [], []
    for te in times:
        while t < te - 1e-13:
            hh = min(h, hmax, te - t)
            an = a.copy()
            for _ in range(60):
                qn = q + hh * v + hh * hh * ((0.5 - beta) * a + beta * an)
                vn = v + hh * ((1 - gamma) * a + gamma * an)
                f = np.atleast_1d(accel(t + hh, qn, vn))
                new = (1 + alpha) * f - alpha * a_true
                d = np.max(np.abs(new - an))
                an = new
                if d <= 1e-13 * max(1.0, np.max(np.abs(an))):
                    break
            theta = np.sum(((an - a) / y_scale) ** 2) * hh**4 * c * c / (p * error**2)
            if theta <= 1:
                t, q, v, a, a_true = t + hh, qn, vn, an, f
                y_scale = np.maximum(y_scale, np.abs(q))
                steps += 1
            fac = 0.9 / max(theta, 1e-12) ** (1 / 6)
            if hh >= 0.999 * h or theta > 1:
                h = hh * min(2.0, max(0.2, fac))
        qs.append(q.copy())
        vs.append(v.copy())
    return np.array(qs), np.array(vs), steps


# Dormand and Prince's formulas of order 5(4), J. Comp. Appl. Math. 6, 1980: rows of stages, then weights of the error.
STAGES = ((1 / 5,), (3 / 40, 9 / 40), (44 / 45, -56 / 15, 32 / 9),
          (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729),
          (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656),
          (35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84))
ERROR_WEIGHTS = (71 / 57600, 0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40)


def motion(rate, y, t, end, tolerance, until=None, h=1e-4, hmax=1e9):
    """y' = rate(t, y), with Python alone and an absolute error of `tolerance` a step (a number, or one for each
    of y); returns (t, y) at `end`, or where until(t, y) first comes from above down to 0 (to the last digits,
    by bisection of the length of the step)."""
    y = list(y)
    n = range(len(y))
    tolerances = tolerance if isinstance(tolerance, (list, tuple)) else [tolerance] * len(y)

    def step(first, h):
        k = [first]
        for row in STAGES:
            x = [y[i] + h * sum(a * b[i] for a, b in zip(row, k)) for i in n]
            k.append(rate(t + h * sum(row), x))
        return x, k

    k0 = rate(t, y)
    while t < end:
        h = min(h, hmax, end - t)
        x, k = step(k0, h)
        error = max(abs(h * sum(w * b[i] for w, b in zip(ERROR_WEIGHTS, k))) / tolerances[i] for i in n)
        if error <= 1:
            if until and until(t, y) > 0 >= until(t + h, x):
                low, high = 0.0, h
                while high - low > 1e-15 * max(1.0, t) and low < (low + high) / 2 < high:
                    middle = (low + high) / 2
                    low, high = (middle, high) if until(t + middle, step(k0, middle)[0]) > 0 else (low, middle)
                return t + high, step(k0, high)[0]
            t, y, k0 = (t + h if h < end - t else end), x, k[-1]
        h *= min(4.0, max(0.2, 0.9 / max(error, 1e-9) ** 0.2))
    return t, y


def round_up(x):
    """Next 1, 2 or 5 times a power of ten."""
    if x <= 0:
        return 0.0
    e = 10.0 ** math.floor(math.log10(x))
    for m in (1, 2, 5, 10):
        if x <= m * e * (1 + 1e-12):
            return float("%.0e" % (m * e))
    return float("%.0e" % (10 * e))


# --------------------------------------------------------------------------
# laws of contact (docs/theory.md, section 13)
# --------------------------------------------------------------------------
def smooth_step(x, x0, h0, x1, h1):
    """STEP(x, x0, h0, x1, h1)."""
    if x <= x0:
        return h0
    if x >= x1:
        return h1
    u = (x - x0) / (x1 - x0)
    return h0 + (h1 - h0) * u * u * (3 - 2 * u)


def impact(depth, rate, k, exponent, damping=0.0, dmax=1.0):
    """Force of IMPACT, (48); rate: of approach."""
    if depth <= 0:
        return 0.0
    return max(0.0, k * depth**exponent + smooth_step(depth, 0, 0, dmax, damping) * rate)


def poisson(depth, rate, penalty, restitution, turning=1e-3):
    """Force of POISSON, (49)."""
    return max(0.0, depth) * penalty * smooth_step(rate, -turning, restitution**2, turning, 1)


def friction(speed, mu_s, mu_d, v_s, v_d):
    """Coefficient of friction at a speed of slip, with the sign of the speed, (50)."""
    v = abs(speed)
    mu = smooth_step(v, -v_s, -mu_s, v_s, mu_s) if v < v_s else smooth_step(v, v_s, mu_s, v_d, mu_d)
    return math.copysign(mu, speed)


# --------------------------------------------------------------------------
# expected.json
# --------------------------------------------------------------------------
class Expected:
    def __init__(self, model, command_file, source):
        self.head = {"model": model, "command_file": command_file, "source": source}
        self.checks = []

    def add(self, t, channel, value, tolerance, why):
        value = float(value)
        if abs(value) < 1e-15:
            value = 0.0
        self.checks.append({"t": float(t), "channel": channel, "value": value,
                            "tolerance": float(tolerance), "why": why})

    def frequency(self, linear, mode, value, tolerance, why):
        """Of the mode-th vibration that the linear-th LINEAR finds, both from 1 [cycles/time]."""
        self.checks.append({"linear": linear, "mode": mode, "value": float(value), "tolerance": float(tolerance),
                            "why": why})

    def write(self, path):
        lines = ["{"]
        for k, v in self.head.items():
            lines.append("  %s: %s," % (json.dumps(k), json.dumps(v)))
        lines.append('  "checks": [')
        rows = ["    " + json.dumps(c) for c in self.checks]
        lines.append(",\n".join(rows))
        lines += ["  ]", "}"]
        with open(path, "w") as f:
            f.write("\n".join(lines) + "\n")
        print("%s: %d checks" % (os.path.basename(os.path.dirname(os.path.abspath(path)))
                                 + "/" + os.path.basename(path), len(self.checks)))


# --------------------------------------------------------------------------
# figures
# --------------------------------------------------------------------------
class Figure:
    """A tiny SVG writer in model units: y (or z) of the model points up."""

    def __init__(self, x0, y0, x1, y1, width=460):
        self.x0, self.y1 = x0, y1
        self.s = width / (x1 - x0)
        self.w, self.h = width, int(round(self.s * (y1 - y0)))
        self.body = []

    def p(self, a):
        return (round((a[0] - self.x0) * self.s, 2), round((self.y1 - a[1]) * self.s, 2))

    def line(self, a, b, color="#444", width=1.5, dash=None):
        (xa, ya), (xb, yb) = self.p(a), self.p(b)
        self.body.append('<line x1="%g" y1="%g" x2="%g" y2="%g" stroke="%s" '
                         'stroke-width="%g" stroke-linecap="round"%s/>'
                         % (xa, ya, xb, yb, color, width,
                            ' stroke-dasharray="%s"' % dash if dash else ""))

    def bar(self, a, b, color="#4c78a8", width=8):
        self.line(a, b, color, width)

    def poly(self, pts, color="#444", width=1.5, fill="none", close=False):
        s = " ".join("%g,%g" % self.p(a) for a in pts)
        tag = "polygon" if close else "polyline"
        self.body.append('<%s points="%s" fill="%s" stroke="%s" stroke-width="%g" '
                         'stroke-linejoin="round"/>' % (tag, s, fill, color, width))

    def pin(self, a, r=4.5):
        x, y = self.p(a)
        self.body.append('<circle cx="%g" cy="%g" r="%g" fill="#fff" stroke="#222" '
                         'stroke-width="1.5"/>' % (x, y, r))

    def dot(self, a, r=3.5, color="#222"):
        x, y = self.p(a)
        self.body.append('<circle cx="%g" cy="%g" r="%g" fill="%s"/>' % (x, y, r, color))

    def ground(self, a, size=14):
        x, y = self.p(a)
        d = 'M%g %g l%g %g h%g z' % (x, y, -size * .7, size, size * 1.4)
        self.body.append('<path d="%s" fill="#ddd" stroke="#222"/>' % d)
        for k in range(4):
            xx = x - size * .7 + k * size * 1.4 / 3
            self.body.append('<line x1="%g" y1="%g" x2="%g" y2="%g" stroke="#222"/>'
                             % (xx, y + size, xx - 5, y + size + 6))

    def spring(self, a, b, coils=6, amp=6, color="#b5651d"):
        (xa, ya), (xb, yb) = self.p(a), self.p(b)
        n = 2 * coils
        length = math.hypot(xb - xa, yb - ya)
        ux, uy = (xb - xa) / length, (yb - ya) / length
        pts = [(xa, ya)]
        for k in range(n):
            f = .12 + .76 * (k + .5) / n
            s = amp if k % 2 else -amp
            pts.append((xa + f * (xb - xa) - s * uy, ya + f * (yb - ya) + s * ux))
        pts.append((xb, yb))
        self.body.append('<polyline points="%s" fill="none" stroke="%s" stroke-width="1.5"/>'
                         % (" ".join("%.2f,%.2f" % q for q in pts), color))

    def arrow(self, a, b, color="#c33", width=1.8):
        (xa, ya), (xb, yb) = self.p(a), self.p(b)
        length = math.hypot(xb - xa, yb - ya)
        ux, uy = (xb - xa) / length, (yb - ya) / length
        self.line(a, b, color, width)
        tip = [(xb, yb), (xb - 9 * ux - 4 * uy, yb - 9 * uy + 4 * ux),
               (xb - 9 * ux + 4 * uy, yb - 9 * uy - 4 * ux)]
        self.body.append('<polygon points="%s" fill="%s"/>'
                         % (" ".join("%.2f,%.2f" % q for q in tip), color))

    def text(self, a, s, dx=6, dy=-6, size=13, color="#111", anchor="start"):
        x, y = self.p(a)
        self.body.append('<text x="%g" y="%g" font-family="sans-serif" font-size="%g" '
                         'fill="%s" text-anchor="%s">%s</text>'
                         % (x + dx, y + dy, size, color, anchor, s))

    def gravity(self, a, length, label="g"):
        self.arrow(a, (a[0], a[1] - length), "#2a7")
        self.text((a[0], a[1] - length / 2), label, color="#2a7")

    def write(self, path):
        with open(path, "w") as f:
            f.write('<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" '
                    'viewBox="0 0 %d %d">\n<rect width="100%%" height="100%%" fill="#fff"/>\n'
                    % (self.w, self.h, self.w, self.h))
            f.write("\n".join(self.body))
            f.write("\n</svg>\n")


def chart(path, curves, x_label, y_label, width=460, height=200):
    """Curves of (name, color, points) over common axes."""
    xs, ys = ([q[k] for _, _, points in curves for q in points] for k in (0, 1))
    x0, x1, y0, y1 = min(xs), max(xs), min(ys + [0.0]), max(ys)
    p = lambda q: "%.1f,%.1f" % (50 + (q[0] - x0) / (x1 - x0) * (width - 70),
                                 height - 35 - (q[1] - y0) / (y1 - y0) * (height - 60))
    text = '<text x="%d" y="%d" fill="%s">%s</text>'
    body = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12">'
            '<rect width="100%%" height="100%%" fill="#fff"/>' % (width, height),
            '<path d="M%sL%sL%s" fill="none" stroke="#888"/>' % (p((x0, y1)), p((x0, y0)), p((x1, y0)))]
    for n, (name, color, points) in enumerate(curves):
        body.append('<polyline points="%s" fill="none" stroke="%s" stroke-width="1.5"/>' % (" ".join(map(p, points)), color))
        body.append(text % (width - 170, 18 + 15 * n, color, name))
    body += [text % (50, 14, "#111", y_label), text % (width - 20 - 6 * len(x_label), height - 6, "#111", x_label)]
    for value, y in ((y0, height - 32), (y1, 32)):
        body.append(text % (4, y, "#111", "%.3g" % value))
    body += [text % (46, height - 18, "#111", "%.3g" % x0), text % (width - 40, height - 18, "#111", "%.3g" % x1), "</svg>"]
    with open(path, "w") as f:
        f.write("\n".join(body) + "\n")
