// guardjit: base/version.hpp: the library's version as numbers
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_BASE_VERSION_HPP
#define GUARDJIT_BASE_VERSION_HPP

#define GUARDJIT_VERSION_MAJOR 0
#define GUARDJIT_VERSION_MINOR 1
#define GUARDJIT_VERSION_PATCH 0

#endif
