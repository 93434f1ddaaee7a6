/* Prints what a run of ten million line transactions leaves: size of result.json, time that
 * `report` takes, size of its page, and the time from navigation until all is drawn. The targets
 * are those of the reports; nothing fails here, because times depend on the host. The run takes
 * about two and a half minutes; with the folder of a result as argument, that one is taken. */
'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { performance } = require('node:perf_hooks');

const browsers = require('../report/browser.js');

const SCENARIO = path.join(browsers.ROOT, 'scenarios/quickstart.ini');
const MEGABYTE = 1e6;

function simulate(folder) {
  browsers.warpmem('run', SCENARIO, '-v', 'baseline', '-q', '-o', folder,
    '--set', 'workload.array_bytes=430 MiB');
  return path.join(folder, 'baseline');
}

function writePage(result, page) {
  const began = performance.now();
  browsers.warpmem('report', result, '-o', page);
  return (performance.now() - began) / 1000;
}

const megabytes = (file) => (fs.statSync(file).size / MEGABYTE).toFixed(2);

async function load(file) {
  const browser = await browsers.launch();
  const { page } = await browsers.open(browser, file);
  const ready = await page.evaluate(() => Number(document.body.dataset.ready));
  await browser.close();
  return ready / 1000;
}

async function main() {
  const folder = browsers.folder(), page = path.join(folder, 'page.html');
  const result = process.argv[2] ?? simulate(folder);
  const file = path.join(result, 'result.json');
  const { transactions } = JSON.parse(fs.readFileSync(file, 'utf8')).summary;
  console.log(`line transactions  ${transactions}`);
  console.log(`result.json        ${megabytes(file)} MB`);
  console.log(`report             ${writePage(result, page).toFixed(2)} s`);
  console.log(`page               ${megabytes(page)} MB (target: below 4 MB)`);
  const reason = browsers.missing();
  console.log(`until all is drawn ${reason ? `not measured: ${reason}`
    : `${(await load(page)).toFixed(2)} s (target: below 3 s)`}`);
  fs.rmSync(folder, { recursive: true });
}

main();
