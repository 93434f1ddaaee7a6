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
const words = ['--test', '--test-reporter=tap', path.join(__dirname, 'test_pages.js')];
process.exit(spawnSync(process.execPath, words, { stdio: 'inherit' }).status ?? 1);
