// guardjit: tensor/frozen_memory.hpp: elements that nobody writes, and the forms that kernels keep of them
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_TENSOR_FROZEN_MEMORY_HPP
#define GUARDJIT_TENSOR_FROZEN_MEMORY_HPP

#include <guardjit/tensor/storage.hpp>

#include <array>
#include <atomic>  // the list of forms is read without a lock
#include <mutex>   // one thread makes a form

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// What a form is of: a tag of who makes it, and the layout that it was made from.
struct form_key {
  void const* maker = nullptr;
  std::array<index_t, 5> words{};
  bool operator==(form_key const&) const = default;
};

/// The storage behind `frozen` tensors: a block that owns another one, with the packed forms of its
/// elements. It lives as long as that block has handles, and forms live as long as it.
/// Rules: G29.
class frozen_memory {
 public:
  /// A block of the same bytes as `owner`, which it keeps.
  /// Throws: as `storage::adopt`.
  static storage wrap(storage owner) {
    struct holder {
      frozen_memory* what;
      ~holder() { delete what; }
    } made{new frozen_memory(std::move(owner))};
    storage const& of = made.what->owner_;
    storage block = storage::adopt(of.data(), of.bytes(), made.what, &release, of.where());
    made.what = nullptr;
    return block;
  }
  /// That of a block, or null where it is no frozen one.
  static frozen_memory* of(storage const& x) noexcept {
    storage_block const* const block = x.block();
    return block && block->release == &release ? static_cast<frozen_memory*>(block->context) : nullptr;
  }

  frozen_memory(frozen_memory const&) = delete;
  frozen_memory& operator=(frozen_memory const&) = delete;

  /// The form for a key, 64-byte aligned: made by `make(to)` where there is none, by one thread, once.
  /// Throws: `std::bad_alloc`. Lifetime: that of the frozen storage.
  /// Complexity: a walk over the forms of this storage, no lock, where it is there.
  void const* form(form_key const& key, index_t bytes, auto const& make) {
    if (void const* const known = find(key)) [[likely]]
      return known;
    std::lock_guard const lock(making_);
    if (void const* const known = find(key)) return known;
    auto const size = sizeof(form_block) + static_cast<std::size_t>(bytes);
    auto* const fresh = ::new (::operator new(size, std::align_val_t{storage_alignment}))
        form_block{first_.load(std::memory_order_relaxed), key};
    make(static_cast<void*>(fresh + 1));
    first_.store(fresh, std::memory_order_release);
    return fresh + 1;
  }
  /// Number of forms made so far.
  int forms() const noexcept {
    int count = 0;
    for (form_block const* at = first_.load(std::memory_order_acquire); at; at = at->next) ++count;
    return count;
  }

 private:
  /// In front of the bytes of a form.
  struct alignas(storage_alignment) form_block {
    form_block* next;
    form_key key;
  };

  explicit frozen_memory(storage owner) noexcept : owner_(std::move(owner)) {}
  ~frozen_memory() {
    for (form_block* at = first_.load(std::memory_order_acquire); at;)
      ::operator delete(static_cast<void*>(std::exchange(at, at->next)), std::align_val_t{storage_alignment});
  }
  static void release(void* self) noexcept { delete static_cast<frozen_memory*>(self); }

  void const* find(form_key const& key) const noexcept {
    for (form_block const* at = first_.load(std::memory_order_acquire); at; at = at->next)
      if (at->key == key) return at + 1;
    return nullptr;
  }

  storage owner_;
  std::atomic<form_block*> first_{nullptr};
  std::mutex making_;
};

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
