#include "scenarios/program/study/plan/build_id.h"

#include <link.h>
#include <stdio.h>
#include <string.h>

enum { ID_BYTES_MAX = 32 };

static char identifier[2 * ID_BYTES_MAX + 1];

static bool is_build_id(const ElfW(Nhdr) * note)
{
    return note->n_type == NT_GNU_BUILD_ID && note->n_namesz == sizeof ELF_NOTE_GNU
           && !memcmp(note + 1, ELF_NOTE_GNU, sizeof ELF_NOTE_GNU)
           && note->n_descsz <= ID_BYTES_MAX;
}

static gsize padded(gsize bytes)
{
    return (bytes + 3) & ~(gsize)3;
}

/* Notes follow each other, each a header, a name and a description in whole words. */
static bool read_notes(const char *at, const char *end)
{
    while (at + sizeof(ElfW(Nhdr)) <= end) {
        const ElfW(Nhdr) *note = (const void *)at;
        const char *description = at + sizeof *note + padded(note->n_namesz);
        if (is_build_id(note)) {
            for (guint i = 0; i < note->n_descsz; i++)
                sprintf(identifier + 2 * i, "%02x", (guint8)description[i]);
            return true;
        }
        at = description + padded(note->n_descsz);
    }
    return false;
}

/* The program itself is visited first; 1 ends the visit. */
static int visit_program(struct dl_phdr_info *program, size_t size, void *unused)
{
    (void)size, (void)unused;
    for (int i = 0; i < program->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &program->dlpi_phdr[i];
        const char *at = (const char *)(program->dlpi_addr + part->p_vaddr);
        if (part->p_type == PT_NOTE && read_notes(at, at + part->p_memsz)) break;
    }
    return 1;
}

const char *build_id(void)
{
    if (!*identifier) dl_iterate_phdr(visit_program, NULL);
    return identifier;
}

bool build_check(const Manifest *manifest, const char *directory, GError **error)
{
    if (!g_strcmp0(manifest->build, build_id())) return true;
    g_set_error(
        error, STUDY_ERROR, 0,
        "%s: the study was planned by build %s of %s, and this is build %s of warpmem " WARPMEM_VERSION
        "; results of two builds do not belong into one table: plan it "
        "anew in another folder, or use the program that planned it",
        directory, manifest->build, manifest->program, build_id());
    return false;
}
