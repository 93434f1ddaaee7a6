/* Pages in headless Chromium, and what they must not do there. */
'use strict';

const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { pathToFileURL } = require('node:url');

const ROOT = process.env.WARPMEM_ROOT ?? path.join(__dirname, '../..');
const PROGRAM = process.env.WARPMEM_PROGRAM ?? path.join(ROOT, 'build/scenarios/program/warpmem');
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const PLAYWRIGHT = path.join(ROOT, 'scenarios/program/report/page/node_modules/playwright-core');
const DATA = /(<script id="data" type="application\/json">)[^]*?(<\/script>)/;

/* What is missing here, or null. */
function missing() {
  if (!fs.existsSync(CHROMIUM)) return `${CHROMIUM} is not installed`;
  if (!fs.existsSync(PLAYWRIGHT)) {
    return 'playwright-core is not installed: npm ci --prefix scenarios/program/report/page';
  }
  return null;
}

const folder = () => fs.mkdtempSync(path.join(os.tmpdir(), 'warpmem-report-'));

function warpmem(...words) {
  return execFileSync(PROGRAM, words, { encoding: 'utf8', maxBuffer: 1 << 28 });
}

/* Another document in a page that the program wrote. */
function replaceDocument(page, text, file) {
  const html = fs.readFileSync(page, 'utf8').replace(DATA, (_, begin, end) => begin + text + end);
  fs.writeFileSync(file, html);
}

function launch() {
  const { chromium } = require(PLAYWRIGHT);
  const args = process.getuid() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath: CHROMIUM, args, timeout: 120000 });
}

/* The page once it is drawn; `complaints` grows with what went wrong in it. */
async function open(browser, file, options = {}) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 }, acceptDownloads: true, colorScheme: 'light', ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(60000);
  const complaints = [], url = pathToFileURL(file).href;
  page.on('request', (request) => {
    const address = request.url();
    if (address !== url && !/^(blob|data):/.test(address)) complaints.push(`request: ${address}`);
  });
  page.on('console', (message) => complaints.push(`console: ${message.text()}`));
  page.on('pageerror', (error) => complaints.push(`error: ${error.stack}`));
  await page.goto(url);
  await page.waitForSelector('body[data-ready]', { state: 'attached' });
  return { page, complaints, context };
}

/* For a page to evaluate. Figures without marks: a canvas of one colour, or
 * a picture of nothing but axes. */
function blankFigures() {
  const marks = { svg: (box) => box.querySelectorAll('svg path').length };
  marks.canvas = (box) => {
    const canvas = box.querySelector('canvas');
    const pixels = new Uint32Array(
      canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.buffer);
    return new Set(pixels).size;
  };
  return [...document.querySelectorAll('figure')].filter((figure) => {
    if (!figure.dataset.drawn) return true;
    const box = figure.querySelector('.chart');
    if (!box) return !figure.querySelector('tbody tr');
    return marks[box.querySelector('canvas') ? 'canvas' : 'svg'](box) < 5;
  }).map((figure) => figure.id);
}

async function download(page, figure, name) {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.locator(`[id="${figure}"] .buttons button`, { hasText: name }).click(),
  ]);
  return { name: file.suggestedFilename(), bytes: fs.readFileSync(await file.path()) };
}

module.exports = {
  PROGRAM, ROOT, blankFigures, download, folder, launch, missing, open, replaceDocument, warpmem,
};
