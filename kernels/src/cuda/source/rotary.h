// Rotary positions (Su et al. 2021, section 3.2.2): columns i and i + size / 2 of a head are a point in a plane,
// turned by the row's position times the plane's step.
#pragma once

#include "arguments.h"
#include "device.h"

constexpr int ROTARY_THREADS = 128;

// A warp turns one row; a lane computes the angle of its plane once, for all heads.
template <class T> DEVICE void rotary(const RotaryArguments& a) {
    const long long row = static_cast<long long>(blockIdx.x) * (ROTARY_THREADS / 32) + threadIdx.x / 32;
    if (row >= a.rows) return;
    const int planes = a.size / 2;
    const float position = static_cast<float>(a.positions[row]);
    for (int plane = threadIdx.x % 32; plane < planes; plane += 32) {
        const float angle = position * a.steps[plane];
        const float sine = sinf(angle), cosine = cosf(angle);
        T* x = static_cast<T*>(a.x) + row * a.stride + plane;
        for (int head = 0; head < a.heads; ++head, x += a.size) {
            const float first = to_float(x[0]), second = to_float(x[planes]);
            x[0] = from_float<T>(first * cosine - second * sine);
            x[planes] = from_float<T>(second * cosine + first * sine);
        }
    }
}
