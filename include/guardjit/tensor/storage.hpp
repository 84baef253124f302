// guardjit: tensor/storage.hpp: counted, 64-byte aligned blocks of bytes, cached per thread
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_TENSOR_STORAGE_HPP
#define GUARDJIT_TENSOR_STORAGE_HPP

#include <guardjit/tensor/device.hpp>
#include <guardjit/tensor/dtype.hpp>
#include <guardjit/tensor/shape.hpp>

#include <bit>
#include <cstddef>
#include <limits>
#include <new>
#include <utility>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

inline constexpr index_t storage_alignment = 64;
/// Data bytes of the size classes: 64, 128, …, 4096.
inline constexpr int storage_classes = 7;
/// Class of a block that no cache keeps.
inline constexpr int uncached_class = storage_classes;

/// Blocks kept per class and thread; none under AddressSanitizer, which must see each release.
#if defined(__SANITIZE_ADDRESS__)
inline constexpr int cached_blocks = 0;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
inline constexpr int cached_blocks = 0;
#else
inline constexpr int cached_blocks = 16;
#endif
#else
inline constexpr int cached_blocks = 16;
#endif

/// The header in front of the bytes, one cache line.
struct GUARDJIT_VISIBLE storage_block {
  alignas(storage_alignment) std::int64_t owners;
  index_t bytes;
  void* data;
  void* context;                    // of `release`
  void (*release)(void*) noexcept;  // null where the bytes follow this header
  storage_block* next;              // in a cache
  device where;
  std::uint8_t size_class;
};
static_assert(sizeof(storage_block) == storage_alignment);

enum class cache_state : std::uint8_t { fresh, open, closed };

/// What a thread keeps. Trivially destroyed, so that it can be asked until the thread's last
/// instruction; `cache_closer` empties it.
struct GUARDJIT_VISIBLE storage_cache {
  storage_block* free[storage_classes];
  std::uint8_t count[storage_classes];
  cache_state state;
  std::int32_t forbidden;  // scopes of `no_allocation`
  std::int64_t live;       // blocks handed out less blocks taken back by this thread
};

GUARDJIT_VISIBLE constinit inline thread_local storage_cache thread_storage{};
/// The sum of `live` of all threads that have ended.
GUARDJIT_VISIBLE constinit inline std::int64_t ended_threads_live = 0;

constexpr int storage_class_of(index_t bytes) {
  if (bytes <= storage_alignment) return 0;
  if (bytes > storage_alignment << (storage_classes - 1)) return uncached_class;
  return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(bytes - 1))) - 6;
}

inline void free_block(storage_block* block) noexcept {
  ::operator delete(block, std::align_val_t{storage_alignment});
}

/// Empties the thread's cache when the thread ends.
struct GUARDJIT_VISIBLE cache_closer {
  cache_closer() noexcept { thread_storage.state = cache_state::open; }
  ~cache_closer() {
    for (int c = 0; c < storage_classes; ++c)
      while (auto* block = thread_storage.free[c]) {
        thread_storage.free[c] = block->next;
        free_block(block);
      }
    __atomic_fetch_add(&ended_threads_live, thread_storage.live, __ATOMIC_RELAXED);
    thread_storage.live = 0;
    thread_storage.state = cache_state::closed;
  }
};

/// Adds to the thread's count; opens its cache on first use, or goes to the sum after its end.
[[gnu::noinline, gnu::cold]] inline void count_outside_cache(std::int64_t change) noexcept {
  if (thread_storage.state == cache_state::fresh) {
    thread_local cache_closer closer;
    (void)closer;
    thread_storage.live += change;
  } else {
    __atomic_fetch_add(&ended_threads_live, change, __ATOMIC_RELAXED);
  }
}

inline void count_live(std::int64_t change) noexcept {
  if (thread_storage.state == cache_state::open) thread_storage.live += change;
  else count_outside_cache(change);
}

[[gnu::noinline]] inline storage_block* new_block(index_t bytes, int size_class) {
  auto const room = size_class == uncached_class ? bytes : storage_alignment << size_class;
  auto const size = sizeof(storage_block) + static_cast<std::size_t>(room);
  auto* block = ::new (::operator new(size, std::align_val_t{storage_alignment})) storage_block{};
  block->size_class = static_cast<std::uint8_t>(size_class);
  return block;
}

[[noreturn, gnu::cold, gnu::noinline]] inline void raise_forbidden(index_t bytes) {
  raise<mode_error>(fixed_text{} << "guardjit: no_allocation: tensor storage of " << bytes
                                 << " bytes would be allocated");
}

/// A block with one owner and `bytes` of room behind its header.
inline storage_block* take_block(index_t bytes, device where) {
  int const size_class = storage_class_of(bytes);
  auto& cache = thread_storage;
  if (cache.forbidden != 0) [[unlikely]]
    raise_forbidden(bytes);
  storage_block* block = nullptr;
  if (size_class != uncached_class && (block = cache.free[size_class])) {
    cache.free[size_class] = block->next;
    --cache.count[size_class];
  } else {
    block = new_block(bytes, size_class);
  }
  count_live(+1);
  block->owners = 1;
  block->bytes = bytes;
  block->data = block + 1;
  block->release = nullptr;
  block->where = where;
  return block;
}

/// Returns a block without owners to the calling thread's cache, or to the heap.
inline void give_block(storage_block* block) noexcept {
  if (block->release) block->release(block->context);
  count_live(-1);
  auto& cache = thread_storage;
  int const size_class = block->size_class;
  if (size_class == uncached_class || cache.state != cache_state::open ||
      cache.count[size_class] >= cached_blocks)
    return free_block(block);
  block->next = cache.free[size_class];
  cache.free[size_class] = block;
  ++cache.count[size_class];
}

/// Another owner of a block, if there is one.
inline void retain(storage_block* block) noexcept {
  if (block) __atomic_fetch_add(&block->owners, 1, __ATOMIC_RELAXED);
}
/// One owner less.
inline void drop(storage_block* block) noexcept {
  // A sole owner needs no atomic decrement: nobody else has a handle to copy.
  if (block && (__atomic_load_n(&block->owners, __ATOMIC_ACQUIRE) == 1 ||
                __atomic_fetch_sub(&block->owners, 1, __ATOMIC_ACQ_REL) == 1))
    give_block(block);
}

/// Bytes of a dense tensor, or −1 where an extent is negative or the bytes exceed 2⁶³−1.
/// Zero extents do not hide an overflow of the others: strides are products of these, too.
constexpr index_t checked_bytes(int rank, index_t const* extents, int element_size) {
  index_t bytes = element_size;
  bool empty = false;
  for (int d = 0; d < rank; ++d) {
    if (extents[d] < 0) return -1;
    if (extents[d] == 0) empty = true;
    else if (bytes > std::numeric_limits<index_t>::max() / extents[d]) return -1;
    else bytes *= extents[d];
  }
  return empty ? 0 : bytes;
}

}  // namespace detail

/// Bytes of a dense tensor.
/// Throws: `shape_error` where an extent is negative or the bytes exceed 2⁶³−1.
/// Rules: N6.
constexpr index_t byte_count(shape const& extents, dtype type) {
  index_t const bytes = detail::checked_bytes(extents.rank, extents.extents.data(), size_of(type));
  if (bytes < 0) {
    for (int d = 0; d < extents.rank; ++d)
      if (extents[d] < 0)
        raise<shape_error>(fixed_text{} << "guardjit: tensor: extent " << d
                                        << " is negative: " << extents[d]);
    raise<shape_error>(fixed_text{} << "guardjit: tensor: shape " << extents << " of "
                                    << name_of(type) << " needs more than 2^63-1 bytes");
  }
  return bytes;
}

/// Blocks of storage in the process that have an owner; blocks in thread caches have none.
/// Exact when all other threads that made or dropped storage have ended.
inline std::int64_t live_storages() noexcept {
  return __atomic_load_n(&detail::ended_threads_live, __ATOMIC_RELAXED) +
         detail::thread_storage.live;
}

/// A shared handle to one block of bytes, 64-byte aligned unless adopted.
/// Complexity: a copy is one relaxed increment; small blocks come from a cache of the thread.
/// Lifetime: the last handle releases the block, in whichever thread it dies.
class GUARDJIT_VISIBLE storage {
 public:
  /// No block.
  constexpr storage() noexcept = default;
  storage(storage const& other) noexcept : block_(other.block_) { detail::retain(block_); }
  constexpr storage(storage&& other) noexcept : block_(std::exchange(other.block_, nullptr)) {}
  storage& operator=(storage const& other) noexcept {
    storage copy(other);
    swap(copy);
    return *this;
  }
  storage& operator=(storage&& other) noexcept {
    storage taken(std::move(other));
    swap(taken);
    return *this;
  }
  constexpr ~storage() {
    if (block_) detail::drop(block_);
  }

  /// A block of uninitialised bytes; none for 0 bytes in the default memory.
  /// Throws: `shape_error` where `bytes` is negative; `device_error` where `where` is no host
  /// memory; `mode_error` in a scope of `no_allocation`; `std::bad_alloc`.
  static storage allocate(index_t bytes, device where = {}) {
    if (bytes < 0)
      raise<shape_error>(fixed_text{} << "guardjit: storage::allocate: negative size " << bytes);
    if (where.kind != device_kind::cpu)
      raise<device_error>(fixed_text{} << "guardjit: storage::allocate: no memory of " << where
                                       << " here, expected cpu");
    if (bytes == 0 && where == device{}) return {};
    return storage(detail::take_block(bytes, where));
  }

  /// Takes over foreign memory; the last handle calls `release(context)`.
  /// Throws: `std::bad_alloc`, `mode_error` in a scope of `no_allocation`; the memory then stays the
  /// caller's.
  static storage adopt(void* data, index_t bytes, void* context, void (*release)(void*) noexcept,
                       device where = {}) {
    auto* block = detail::take_block(0, where);
    block->bytes = bytes;
    block->data = data;
    block->context = context;
    block->release = release;
    return storage(block);
  }

  /// A further handle of a block that has one: for code that keeps handles as plain data.
  static storage share(detail::storage_block* block) noexcept {
    detail::retain(block);
    return storage(block);
  }
  /// A handle that the block does not count: it must never be dropped. See `borrowed`.
  static storage uncounted(detail::storage_block* block) noexcept { return storage(block); }
  /// The block, whose owners stay as they are.
  detail::storage_block* block() const noexcept { return block_; }
  /// The same, with the part that this handle has in it.
  detail::storage_block* release() && noexcept { return std::exchange(block_, nullptr); }

  void* data() const noexcept { return block_ ? block_->data : nullptr; }
  index_t bytes() const noexcept { return block_ ? block_->bytes : 0; }
  device where() const noexcept { return block_ ? block_->where : device{}; }
  /// Number of handles of its block, this one among them; 0 where there is no block.
  index_t owners() const noexcept {
    return block_ ? __atomic_load_n(&block_->owners, __ATOMIC_ACQUIRE) : 0;
  }
  /// Whether this is the only handle of its block.
  bool unique() const noexcept { return owners() == 1; }
  explicit operator bool() const noexcept { return block_ != nullptr; }
  /// Whether both are handles of one block.
  bool operator==(storage const& other) const noexcept = default;

  constexpr void swap(storage& other) noexcept { std::swap(block_, other.block_); }

 private:
  explicit storage(detail::storage_block* block) noexcept : block_(block) {}

  detail::storage_block* block_ = nullptr;
};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
