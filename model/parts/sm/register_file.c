#include "parts/sm/register_file.h"

#include <string.h>

void register_file_init(RegisterFile *file, const RegisterFileShape *shape)
{
    *file = (RegisterFile){.shape = *shape};
}

static uint32_t end_of(const RegisterFile *file, uint32_t place)
{
    const uint32_t warp = file->order[place];
    return file->base[warp] + file->size[warp];
}

/* First fit: the place in `order` of a block in the lowest gap that is large enough. */
static bool find_gap(RegisterFile *file, uint32_t size, uint32_t *base, uint32_t *place)
{
    *base = file->packed ? end_of(file, file->packed - 1) : 0;
    for (*place = file->packed; *place < file->blocks; (*place)++) {
        const uint32_t gap = file->base[file->order[*place]] - *base;
        if (gap >= size) return true;
        if (!gap && file->packed == *place) file->packed++;
        *base = end_of(file, *place);
    }
    return file->shape.entries - *base >= size;
}

static bool allocate_fixed(RegisterFile *file, uint32_t warp, uint32_t registers)
{
    if (registers > file->shape.share) return false;
    file->base[warp] = warp * file->shape.share;
    file->size[warp] = file->shape.share;
    return true;
}

static bool allocate_mapped(RegisterFile *file, uint32_t warp, uint32_t registers)
{
    const uint32_t granularity = file->shape.granularity;
    const uint32_t size = (registers + granularity - 1) / granularity * granularity;
    uint32_t base, place;
    if (!find_gap(file, size, &base, &place)) return false;
    file->base[warp] = base;
    file->size[warp] = size;
    memmove(file->order + place + 1, file->order + place, file->blocks - place);
    file->order[place] = (uint8_t)warp;
    file->blocks++;
    file->packed += place == file->packed; /* its gap began where the packed ones end */
    return true;
}

bool register_file_allocate(RegisterFile *file, uint32_t warp, uint32_t registers)
{
    const bool placed = file->shape.share ? allocate_fixed(file, warp, registers)
                                          : allocate_mapped(file, warp, registers);
    if (placed) file->allocated += file->size[warp];
    return placed;
}

void register_file_release(RegisterFile *file, uint32_t warp)
{
    file->allocated -= file->size[warp];
    if (file->shape.share) return;
    uint32_t place = 0;
    while (place < file->blocks && file->order[place] != warp) place++;
    g_assert(place < file->blocks);
    file->packed = MIN(file->packed, place);
    file->blocks--;
    memmove(file->order + place, file->order + place + 1, file->blocks - place);
}
