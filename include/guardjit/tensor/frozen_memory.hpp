// guardjit: tensor/frozen_memory.hpp: elements that nobody writes, and the forms that kernels keep of them
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_TENSOR_FROZEN_MEMORY_HPP
#define GUARDJIT_TENSOR_FROZEN_MEMORY_HPP

#include <guardjit/tensor/storage.hpp>

#include <array>

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

  /// The form for a key, 64-byte aligned: made by `make(to)` where there is none. Of threads that make it at
  /// once one is faster, and all take what it made.
  /// Throws: `std::bad_alloc`. Lifetime: that of the frozen storage.
  /// Complexity: where it is there, a walk over the forms of this storage; no lock.
  void const* form(form_key const& key, index_t bytes, auto const& make) {
    form_block* before = first();
    if (void const* const known = find(before, nullptr, key)) [[likely]]
      return known;
    form_holder made{form_block::of(key, bytes)};
    make(static_cast<void*>(made.what + 1));
    for (;;) {
      made.what->next = before;
      if (__atomic_compare_exchange_n(&first_, &before, made.what, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return std::exchange(made.what, nullptr) + 1;
      if (void const* const known = find(before, made.what->next, key)) return known;
    }
  }
  /// Number of forms made so far.
  int forms() const noexcept {
    int count = 0;
    for (form_block const* at = first(); at; at = at->next) ++count;
    return count;
  }

 private:
  /// In front of the bytes of a form.
  struct alignas(storage_alignment) form_block {
    form_block* next;
    form_key key;

    static form_block* of(form_key const& key, index_t bytes) {
      auto const size = sizeof(form_block) + static_cast<std::size_t>(bytes);
      return ::new (::operator new(size, std::align_val_t{storage_alignment})) form_block{nullptr, key};
    }
    static void destroy(form_block* what) noexcept {
      ::operator delete(static_cast<void*>(what), std::align_val_t{storage_alignment});
    }
  };
  struct form_holder {
    form_block* what;
    ~form_holder() { form_block::destroy(what); }
  };

  explicit frozen_memory(storage owner) noexcept : owner_(std::move(owner)) {}
  ~frozen_memory() {
    for (form_block* at = first(); at;) form_block::destroy(std::exchange(at, at->next));
  }
  static void release(void* self) noexcept { delete static_cast<frozen_memory*>(self); }

  form_block* first() const noexcept { return __atomic_load_n(&first_, __ATOMIC_ACQUIRE); }
  /// Among the forms from `at` on, before `end`.
  static void const* find(form_block const* at, form_block const* end, form_key const& key) noexcept {
    for (; at != end; at = at->next)
      if (at->key == key) return at + 1;
    return nullptr;
  }

  storage owner_;
  form_block* first_ = nullptr;  // by __atomic
};

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
