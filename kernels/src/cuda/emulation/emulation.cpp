// Runs a kernel's blocks one after the other, a block's threads as fibers that take turns. A fiber that
// waits lets the next one run; when all wait and none can go on, the kernel is wrong and the program ends.
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
constexpr unsigned char NOISE = 0xff;  // not a number, in every format
constexpr size_t GUARD_BYTES = 64;

// Where threads meet: the last to come lets all go on.
struct Meeting {
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
    std::vector<Meeting> warp_meetings;
    Meeting meeting;
    std::vector<unsigned char> shared;
    unsigned current = 0;
    Index index{}, grid{};
    bool has_moved = false;
    jmp_buf scheduler;
    void (*kernel)(const void*) = nullptr;
    const void* arguments = nullptr;
} block;

[[noreturn]] void fail(const char* why) {
    std::fprintf(stderr, "emulated kernel: %s (block %u, %u, thread %u)\n", why, block.index.x, block.index.y, block.current);
    std::abort();
}

// Not inlined, so that nothing is kept in registers over a change of fibers.
__attribute__((noinline)) void give_way() {
    if (_setjmp(block.fibers[block.current]->at) == 0) _longjmp(block.scheduler, 1);
}

__attribute__((noinline)) void meet(Meeting& meeting) {
    const unsigned round = meeting.round;
    block.has_moved = true;
    if (++meeting.arrived == meeting.expected) {
        meeting.arrived = 0;
        ++meeting.round;
        return;
    }
    while (meeting.round == round) give_way();
    block.has_moved = true;
}

void leave(Meeting& meeting) {
    if (--meeting.expected > 0 && meeting.arrived == meeting.expected) {
        meeting.arrived = 0;
        ++meeting.round;
    }
}

void fiber_main() {
    block.kernel(block.arguments);
    block.fibers[block.current]->is_done = true;
    block.has_moved = true;
    // A thread that returned is not waited for.
    leave(block.meeting);
    leave(block.warp_meetings[block.current / 32]);
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
    block.warp_meetings.assign(block.warps.size(), Meeting{});
    block.meeting = Meeting{threads};
    std::memset(block.shared.data(), NOISE, block.shared.size());
    while (block.fibers.size() < threads) block.fibers.push_back(std::make_unique<Fiber>());
    for (unsigned thread = 0; thread < threads; ++thread) {
        Fiber& fiber = *block.fibers[thread];
        ++block.warp_meetings[thread / 32].expected;
        fiber.has_begun = fiber.is_done = false;
        getcontext(&fiber.begin);
        fiber.begin.uc_stack.ss_sp = fiber.stack.data();
        fiber.begin.uc_stack.ss_size = fiber.stack.size();
        fiber.begin.uc_link = nullptr;
        makecontext(&fiber.begin, fiber_main, 0);
    }
    for (unsigned left = threads; left > 0;) {
        block.has_moved = false;
        for (unsigned turn = 0; turn < threads; ++turn) {
            const unsigned thread = is_reversed ? threads - 1 - turn : turn;
            if (block.fibers[thread]->is_done) continue;
            resume(thread);
            if (block.fibers[thread]->is_done) --left;
        }
        if (left > 0 && !block.has_moved) fail("threads wait for each other for ever");
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
void meet_block() { meet(block.meeting); }
void meet_warp() { meet(block.warp_meetings[block.current / 32]); }
Warp& warp() { return block.warps[block.current / 32]; }

}  // namespace emulation

// Runs a kernel to its end; false if there is none of that name or of as many threads. One caller at a time.
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

// Bytes of a kernel's arguments; 0 if there is none of that name.
extern "C" size_t veridic_argument_bytes(const char* name) {
    for (const emulation::Kernel& kernel : emulation::ALL) {
        if (std::strcmp(kernel.name, name) == 0) return kernel.argument_bytes;
    }
    return 0;
}

// out (rows, outputs) = x (rows, inputs) W^T + b, rounded once to O; what stands in for a library's product.
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
static void multiply_numbers(bool is_wide, const void* weight, const void* bias, const void* x, void* out, size_t rows,
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
    (is_bf16 ? multiply_numbers<bf16> : multiply_numbers<f16>)(is_wide, weight, bias, x, out, rows, inputs, outputs);
}
