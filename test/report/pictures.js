/* The pictures of docs/pictures, made again: node test/report/pictures.js [RESULTS]
 *
 * A run, the same in dark, a comparison and a study, in few colours so that they stay small. A
 * folder that has `quickstart` and `misses` saves their runs. Needs Chromium and pngquant. */
'use strict';

const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');

const browsers = require('./browser.js');

const SIZE = { width: 1100, height: 880 };
const LARGEST = 80 * 1024; /* bytes */
const OUT = path.join(browsers.ROOT, 'docs/pictures');

/* What is shown: a page, and the element that the picture begins with; null: the top. */
const pictures = [
  { name: 'run', page: 'run', scheme: 'light', from: null },
  { name: 'run-dark', page: 'run', scheme: 'dark', from: '#section-time' },
  { name: 'comparison', page: 'comparison', scheme: 'light', from: '#section-change' },
  { name: 'study', page: 'study', scheme: 'light', from: null },
];

function makePages(folder) {
  const at = (name) => path.join(folder, name);
  const runs = at('quickstart'), study = at('misses');
  if (!fs.existsSync(runs)) browsers.warpmem('run', 'quickstart', '-q', '-o', runs);
  if (!fs.existsSync(study)) {
    browsers.warpmem('study', 'run', 'sizes', '-o', study,
      '--set', 'study.l1.replacement=', '--set', 'study.l1.shared_latency=');
  }
  browsers.warpmem('report', path.join(runs, 'baseline'), '-o', at('run.html'));
  browsers.warpmem('report', runs, '-o', at('comparison.html'));
  browsers.warpmem('report', study, '-o', at('study.html'));
}

async function take(browser, folder, { name, page: html, scheme, from }) {
  const { page, complaints, context } = await browsers.open(browser,
    path.join(folder, `${html}.html`), { colorScheme: scheme, viewport: SIZE, reducedMotion: 'reduce' });
  if (from) await page.locator(from).evaluate((element) => element.scrollIntoView());
  await page.waitForTimeout(500);
  const whole = path.join(folder, `${name}.png`), small = path.join(OUT, `${name}.png`);
  await page.screenshot({ path: whole });
  await context.close();
  execFileSync('pngquant', ['--force', '--strip', '--speed', '1', '--output', small, '64', whole]);
  const { size } = fs.statSync(small);
  console.log(`${path.relative(browsers.ROOT, small)}: ${size} bytes`);
  if (complaints.length || size > LARGEST) throw new Error(`${name}: ${size} bytes; ${complaints}`);
}

async function main() {
  const folder = process.argv[2] ?? browsers.folder();
  fs.mkdirSync(OUT, { recursive: true });
  makePages(folder);
  const browser = await browsers.launch();
  try {
    for (const picture of pictures) await take(browser, folder, picture);
  } finally {
    await browser.close();
  }
}

const reason = browsers.missing();
if (reason) throw new Error(reason);
main();
