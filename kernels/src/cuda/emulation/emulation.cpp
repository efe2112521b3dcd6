// Runs a kernel's blocks sequentially, with the threads of a block as cooperative fibers. A fiber that waits at a
// barrier yields to the next one; if no fiber can proceed, the kernel has a deadlock and the program aborts.
#define VERIDIC_EMULATION
#include "../source/kernels.cu"

#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <ucontext.h>
#include <vector>

namespace emulation {
namespace {

constexpr size_t STACK_BYTES = 256 * 1024;
constexpr unsigned char NOISE = 0xff;  // NaN in every dtype
constexpr size_t GUARD_BYTES = 64;

// A barrier: the last thread to arrive releases all.
struct Barrier {
    unsigned expected = 0, arrived = 0, round = 0;
};

struct Fiber {
    ucontext_t begin;
    jmp_buf at;
    bool has_begun = false, is_done = false;
    std::vector<unsigned char> stack = std::vector<unsigned char>(STACK_BYTES);
};

struct Block {
    std::vector<std::unique_ptr<Fiber>> fibers;
    std::vector<Warp> warps;
    std::vector<Barrier> warp_barriers;
    Barrier barrier;
    std::vector<unsigned char> shared;
    unsigned current = 0;
    Index index{}, grid{};
    bool has_progressed = false;
    jmp_buf scheduler;
    void (*kernel)(const void*) = nullptr;
    const void* arguments = nullptr;
} block;

[[noreturn]] void fail(const char* why) {
    std::fprintf(stderr, "emulated kernel: %s (block %u, %u, thread %u)\n", why, block.index.x, block.index.y, block.current);
    std::abort();
}

// Not inlined, so that no value stays in a register across a fiber switch.
__attribute__((noinline)) void yield_fiber() {
    if (_setjmp(block.fibers[block.current]->at) == 0) _longjmp(block.scheduler, 1);
}

__attribute__((noinline)) void wait_at(Barrier& barrier) {
    const unsigned round = barrier.round;
    block.has_progressed = true;
    if (++barrier.arrived == barrier.expected) {
        barrier.arrived = 0;
        ++barrier.round;
        return;
    }
    while (barrier.round == round) yield_fiber();
    block.has_progressed = true;
}

void leave(Barrier& barrier) {
    if (--barrier.expected > 0 && barrier.arrived == barrier.expected) {
        barrier.arrived = 0;
        ++barrier.round;
    }
}

void fiber_main() {
    block.kernel(block.arguments);
    block.fibers[block.current]->is_done = true;
    block.has_progressed = true;
    // Barriers no longer wait for a thread that has returned.
    leave(block.barrier);
    leave(block.warp_barriers[block.current / 32]);
    _longjmp(block.scheduler, 1);
}

void resume(unsigned thread) {
    Fiber& fiber = *block.fibers[thread];
    block.current = thread;
    if (_setjmp(block.scheduler) != 0) return;
    if (fiber.has_begun) _longjmp(fiber.at, 1);
    fiber.has_begun = true;
    setcontext(&fiber.begin);
}

void run_block(unsigned threads, bool is_reversed) {
    block.warps.assign((threads + 31) / 32, Warp{});
    block.warp_barriers.assign(block.warps.size(), Barrier{});
    block.barrier = Barrier{threads};
    std::memset(block.shared.data(), NOISE, block.shared.size());
    while (block.fibers.size() < threads) block.fibers.push_back(std::make_unique<Fiber>());
    for (unsigned thread = 0; thread < threads; ++thread) {
        Fiber& fiber = *block.fibers[thread];
        ++block.warp_barriers[thread / 32].expected;
        fiber.has_begun = fiber.is_done = false;
        getcontext(&fiber.begin);
        fiber.begin.uc_stack.ss_sp = fiber.stack.data();
        fiber.begin.uc_stack.ss_size = fiber.stack.size();
        fiber.begin.uc_link = nullptr;
        makecontext(&fiber.begin, fiber_main, 0);
    }
    for (unsigned left = threads; left > 0;) {
        block.has_progressed = false;
        for (unsigned step = 0; step < threads; ++step) {
            const unsigned thread = is_reversed ? threads - 1 - step : step;
            if (block.fibers[thread]->is_done) continue;
            resume(thread);
            if (block.fibers[thread]->is_done) --left;
        }
        if (left > 0 && !block.has_progressed) fail("deadlock: all threads wait");
    }
    for (size_t i = block.shared.size() - GUARD_BYTES; i < block.shared.size(); ++i) {
        if (block.shared[i] != NOISE) fail("wrote beyond its shared memory");
    }
}

struct Kernel {
    const char* name;
    unsigned threads;
    size_t argument_bytes;
    void (*run)(const void*);
};

#define ENTRY(name, Arguments, threads, function) \
    {#name, threads, sizeof(Arguments), [](const void* arguments) { function(*static_cast<const Arguments*>(arguments)); }},
constexpr Kernel ALL[] = {KERNELS(ENTRY)};

}  // namespace

Index thread_index() { return {block.current, 0, 0}; }
Index block_index() { return block.index; }
Index grid_size() { return block.grid; }
unsigned char* shared_memory() { return block.shared.data(); }
void wait_for_block() { wait_at(block.barrier); }
void wait_for_warp() { wait_at(block.warp_barriers[block.current / 32]); }
Warp& warp() { return block.warps[block.current / 32]; }

}  // namespace emulation

// Runs a kernel to completion. Returns false if there is no kernel of this name or with this many threads. Not
// thread-safe.
extern "C" bool veridic_emulate(const char* name, unsigned grid_x, unsigned grid_y, unsigned threads, size_t shared_bytes,
                                const void* arguments, bool is_reversed) {
    using namespace emulation;
    for (const Kernel& kernel : ALL) {
        if (std::strcmp(kernel.name, name) != 0) continue;
        if (threads > kernel.threads) return false;
        block.kernel = kernel.run;
        block.arguments = arguments;
        block.shared.resize(shared_bytes + GUARD_BYTES);
        block.grid = {grid_x, grid_y, 1};
        for (unsigned y = 0; y < grid_y; ++y) {
            for (unsigned x = 0; x < grid_x; ++x) {
                block.index = {x, y, 0};
                run_block(threads, is_reversed);
            }
        }
        return true;
    }
    return false;
}

// Size of a kernel's arguments in bytes; 0 if there is no kernel of this name.
extern "C" size_t veridic_argument_bytes(const char* name) {
    for (const emulation::Kernel& kernel : emulation::ALL) {
        if (std::strcmp(kernel.name, name) == 0) return kernel.argument_bytes;
    }
    return 0;
}

// out (rows, outputs) = x (rows, inputs) W^T + b, rounded once to O. Replaces cuBLASLt.
template <class T, class O>
static void multiply_rows(const T* weight, const T* bias, const T* x, O* out, size_t rows, size_t inputs, size_t outputs) {
    std::vector<float> wide(outputs * inputs), row(inputs);
    for (size_t i = 0; i < wide.size(); ++i) wide[i] = to_float(weight[i]);
    for (; rows > 0; --rows, x += inputs, out += outputs) {
        for (size_t i = 0; i < inputs; ++i) row[i] = to_float(x[i]);
        for (size_t output = 0; output < outputs; ++output) {
            const float* other = wide.data() + output * inputs;
            float lanes[8] = {};
            for (size_t i = 0; i < inputs; ++i) lanes[i % 8] += row[i] * other[i];
            float sum = bias ? to_float(bias[output]) : 0.0f;
            for (float lane : lanes) sum += lane;
            out[output] = from_float<O>(sum);
        }
    }
}

template <class T>
static void multiply_dtype(bool is_wide, const void* weight, const void* bias, const void* x, void* out, size_t rows,
                             size_t inputs, size_t outputs) {
    const T *w = static_cast<const T*>(weight), *b = static_cast<const T*>(bias), *from = static_cast<const T*>(x);
    if (is_wide) {
        multiply_rows(w, b, from, static_cast<float*>(out), rows, inputs, outputs);
    } else {
        multiply_rows(w, b, from, static_cast<T*>(out), rows, inputs, outputs);
    }
}

extern "C" void veridic_multiply(bool is_bf16, bool is_wide, const void* weight, const void* bias, const void* x, void* out,
                                 size_t rows, size_t inputs, size_t outputs) {
    (is_bf16 ? multiply_dtype<bf16> : multiply_dtype<f16>)(is_wide, weight, bias, x, out, rows, inputs, outputs);
}
