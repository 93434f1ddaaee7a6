/* Runs the pages' tests and prints a line for each; exit status 77 when there is no browser. */
'use strict';

const { spawnSync } = require('node:child_process');
const path = require('node:path');

const { missing } = require('./browser.js');

const SKIPPED = 77;
const reason = missing();
if (reason) {
  console.log(`skipped: ${reason}`);
  process.exit(SKIPPED);
}
const files = ['test_pages.js', 'test_real_pages.js'].map((name) => path.join(__dirname, name));
const words = ['--test', '--test-concurrency=1', '--test-reporter=tap', ...files];
process.exit(spawnSync(process.execPath, words, { stdio: 'inherit' }).status ?? 1);
