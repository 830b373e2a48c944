/*
 * Reads the targets of a library's imports from its relocations, and redirects imports.
 */
#pragma once

#include <dlfcn.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Writes a slot of a loaded library. Returns -1 if its memory cannot be made writable. */
static inline int openvino_write_slot(
    const struct link_map *_Nonnull map, const void *_Nullable *_Nonnull slot,
    const void *_Nonnull target) {
  const ElfW(Ehdr) *file = (const ElfW(Ehdr) *)map->l_addr;
  const ElfW(Phdr) *segments = (const ElfW(Phdr) *)((const char *)file + file->e_phoff);
  const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  const uintptr_t start = (uintptr_t)slot / page * page;
  int is_protected = 0;

  /* The dynamic linker made this segment read-only after it had bound the imports. */
  for (int i = 0; i < file->e_phnum; i++) {
    if (segments[i].p_type == PT_GNU_RELRO &&
        (uintptr_t)slot - map->l_addr - segments[i].p_vaddr < segments[i].p_memsz)
      is_protected = 1;
  }
  if (is_protected && mprotect((void *)start, page, PROT_READ | PROT_WRITE) != 0) return -1;
  __atomic_store_n(slot, target, __ATOMIC_RELEASE);
  if (is_protected) mprotect((void *)start, page, PROT_READ);
  return 0;
}

/*
 * Returns the function that a loaded library calls by the name `symbol`. Returns NULL if the
 * library is not loaded or does not import it. Before a call is bound, the result is an address in
 * the library itself.
 *
 * If `replacement` is not NULL, the library calls it from now on.
 */
static inline const void *_Nullable openvino_import(
    const char *_Nonnull library, const char *_Nonnull symbol,
    const void *_Nullable replacement) {
  /* In glibc the handle is the link map. */
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
  for (int t = 0; t < 2 && symbols != NULL && names != NULL; t++) {
    size_t count = tables[t].first != NULL ? tables[t].bytes / sizeof(ElfW(Rela)) : 0;
    for (size_t i = 0; i < count && (target == NULL || replacement != NULL); i++) {
      const ElfW(Rela) *relocation = tables[t].first + i;
      const void **slot = (const void **)(map->l_addr + relocation->r_offset);
      size_t index = relocation->r_info >> 32;
      if (index == 0 || strcmp(names + symbols[index].st_name, symbol) != 0) continue;
      if (target == NULL) memcpy(&target, slot, sizeof target);
      if (replacement != NULL && openvino_write_slot(map, slot, replacement) != 0) break;
    }
  }
  dlclose(map);
  return target;
}

/* Replaces `__cxa_atexit`, so that objects that a library registers survive until the process
 * exits. */
static inline int openvino_register_nothing(
    void (*_Nullable destructor)(void *_Nullable), void *_Nullable object,
    void *_Nullable library) {
  (void)destructor, (void)object, (void)library;
  return 0;
}

/* Makes a loaded library keep its function-local static data until the process exits. Only data
 * that it creates from now on is kept. Earlier data is destroyed as usual. */
static inline void openvino_keep_static_data(const char *_Nonnull library) {
  const void *function = NULL;
  int (*replacement)(void (*)(void *), void *, void *) = openvino_register_nothing;

  memcpy(&function, &replacement, sizeof function);
  openvino_import(library, "__cxa_atexit", function);
}
