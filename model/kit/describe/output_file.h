/* Files that appear whole or not at all. What is written stands beside its place, under another
 * name, until all of it is on the disk; then it takes the place of what was there. "-" is standard
 * output; what is there and is no regular file, such as a pipe, is written in place. A `code`, and
 * what is returned as an int, is 0 or errno's. */
#pragma once

#include <glib.h>
#include <stdio.h>

typedef struct OutputFile OutputFile;

/* From now on SIGINT, SIGTERM and SIGHUP leave nothing unpublished behind, where they end this
 * process: those that are ignored stay so, and others may handle them later. */
void output_file_clean_up_on_signals(void);

/* Whether it could be written, said before what takes long. */
int output_file_check(const char *path);

/* NULL with `code`. */
OutputFile *output_file_open(const char *path, int *code);

FILE *output_file_stream(const OutputFile *file);
/* Where it stands now, for who writes by name. */
const char *output_file_place(const OutputFile *file);

/* Closes the stream when all is on the disk. */
int output_file_finish(OutputFile *file);

/* Gives a finished file its name. */
int output_file_publish(OutputFile *file);

/* Removes what was not published. */
void output_file_free(OutputFile *file);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(OutputFile, output_file_free)

/* A file with this text, finished; NULL with `code`. */
OutputFile *output_file_prepare(const char *path, const char *text, gsize length, int *code);

/* ... and published. */
int output_file_write(const char *path, const char *text, gsize length);
