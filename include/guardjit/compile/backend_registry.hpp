// guardjit: compile/backend_registry.hpp: erased backends by name
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_BACKEND_REGISTRY_HPP
#define GUARDJIT_COMPILE_BACKEND_REGISTRY_HPP

#include <guardjit/compile/known_backends.hpp>
#include <guardjit/compile/registry.hpp>

#include <string>  // names
#include <string_view>  // names
#include <vector>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// A backend of the library. Which ones a unit has depends on its headers: see `find_backend`.
struct own_backend {
  char const* name;
  erased_backend (*make)();
};
/// Names that users cannot register, whether a unit has the backends or not.
constexpr bool is_own_backend(std::string_view name) { return name == "reference" || name == "tiles"; }

inline known_backend const* named_backend(std::string_view name) {
  for (known_backend* at = first_known_backend(); at; at = at->next)
    if (__atomic_load_n(&at->is_named, __ATOMIC_ACQUIRE) && name == at->what.name()) return at;
  return nullptr;
}

/// The library's, then those that were registered, in the order in which the program met them.
[[gnu::cold]] inline std::vector<std::string> names_among(std::span<own_backend const> own) {
  std::vector<std::string> names;
  for (own_backend const& b : own) names.emplace_back(b.name);
  for (known_backend* at = first_known_backend(); at; at = at->next)
    if (__atomic_load_n(&at->is_named, __ATOMIC_ACQUIRE))
      names.insert(names.begin() + static_cast<std::ptrdiff_t>(own.size()), at->what.name());
  return names;
}

[[gnu::cold]] inline erased_backend backend_among(std::span<own_backend const> own, std::string_view name) {
  for (own_backend const& b : own)
    if (name == b.name) return b.make();
  if (known_backend const* const found = named_backend(name)) return found->what;
  fixed_text text("guardjit: find_backend(\"");
  text << std::string(name).c_str() << "\"): there is ";
  std::vector<std::string> const names = names_among(own);
  for (std::size_t k = 0; k < names.size(); ++k) text << (k == 0 ? "" : ", ") << names[k].c_str();
  raise<backend_error>(is_own_backend(name) ? text << "; guardjit/kernels/eigen.hpp brings tiles" : text);
}

}  // namespace detail

/// From now on `find_backend(b.name())` gives `b`, in all units. Any thread may call it.
/// Throws: `backend_error` where there is a backend of that name. Complexity: linear in the backends of the
/// program. Lifetime: a copy of `b` is kept until the program ends; what it refers to must live as long.
/// Rules: G113.
[[gnu::cold]] inline void register_backend(erased_backend const& b) {
  detail::known_backend& item = detail::known(b);
  detail::registry_lock const lock(detail::registry.locked);
  if (detail::is_own_backend(b.name()) || detail::named_backend(b.name()))
    raise<backend_error>(fixed_text("guardjit: register_backend(b): there is a backend ") << b.name());
  __atomic_store_n(&item.is_named, true, __ATOMIC_RELEASE);
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
