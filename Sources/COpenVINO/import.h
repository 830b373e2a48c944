/*
 * Where a library's imports lead, read from its relocations.
 */
#pragma once

#include <dlfcn.h>
#include <link.h>
#include <stddef.h>
#include <string.h>

/*
 * The function that a loaded library calls by the name `symbol`; NULL when the library is not
 * loaded or does not import it. A call that was not bound yet leads into the library itself.
 */
static inline const void *_Nullable openvino_import(
    const char *_Nonnull library, const char *_Nonnull symbol) {
  /* glibc's handle is the link map. */
  struct link_map *map = (struct link_map *)dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
  const ElfW(Sym) *symbols = NULL;
  const char *names = NULL;
  struct {
    const ElfW(Rela) *first;
    size_t bytes;
  } tables[2] = {{NULL, 0}, {NULL, 0}};
  const void *target = NULL;

  if (map == NULL) return NULL;
  for (const ElfW(Dyn) *entry = map->l_ld; entry->d_tag != DT_NULL; entry++) {
    switch (entry->d_tag) {
      case DT_SYMTAB: symbols = (const ElfW(Sym) *)entry->d_un.d_ptr; break;
      case DT_STRTAB: names = (const char *)entry->d_un.d_ptr; break;
      case DT_JMPREL: tables[0].first = (const ElfW(Rela) *)entry->d_un.d_ptr; break;
      case DT_PLTRELSZ: tables[0].bytes = entry->d_un.d_val; break;
      case DT_RELA: tables[1].first = (const ElfW(Rela) *)entry->d_un.d_ptr; break;
      case DT_RELASZ: tables[1].bytes = entry->d_un.d_val; break;
    }
  }
  for (int t = 0; t < 2 && symbols != NULL && names != NULL && target == NULL; t++) {
    size_t count = tables[t].first != NULL ? tables[t].bytes / sizeof(ElfW(Rela)) : 0;
    for (size_t i = 0; i < count && target == NULL; i++) {
      const ElfW(Rela) *relocation = tables[t].first + i;
      size_t index = relocation->r_info >> 32;
      if (index != 0 && strcmp(names + symbols[index].st_name, symbol) == 0)
        memcpy(&target, (const char *)map->l_addr + relocation->r_offset, sizeof target);
    }
  }
  dlclose(map);
  return target;
}
