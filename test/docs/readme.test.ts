import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { whereCurlIs } from '../support/curl.ts'
import { freshPlace } from '../support/fresh-place.ts'
import type { Program } from '../support/program.ts'
import { type ReadmeBlock, readmeBlocks } from '../support/readme.ts'
import { startServerProgram, stopProgram } from '../support/server-programs.ts'

const root = join(import.meta.dirname, '../..')
// Inside the project, so that a script finds the client among its modules.
const scratch = join(root, 'test/docs/.readme')
const run = promisify(execFile)

const isRequest = ({ code }: ReadmeBlock) => /^curl /m.test(code)

describe('README', () => {
  let blocks: readonly ReadmeBlock[] = []
  before(async () => {
    blocks = await readmeBlocks()
    await mkdir(scratch, { recursive: true })
    // A refusal ends the shell; those who paste see it.
    await writeFile(join(scratch, '.curlrc'), 'fail-with-body\nsilent\nshow-error\n')
  })
  after(() => rm(scratch, { recursive: true, force: true }))

  async function onServer(flags: readonly string[], body: (program: Program) => Promise<void>): Promise<void> {
    const program = await startServerProgram(await freshPlace('sqlite'), flags)
    try {
      await body(program)
    } finally {
      assert.equal(await stopProgram(program), 0)
    }
  }

  const at = (url: string, code: string) => code.replaceAll(/http:\/\/127\.0\.0\.1:8080(?=\/)/g, new URL(url).origin)

  test('has nothing to be pasted that no test pastes', () => {
    const known = [
      'npm ci && npm start\n',
      'npm ci && npm test\n', // runs this
      'npm start -- --vendor nuxeo --base-path /nuxeo\n',
    ]
    const others = blocks.filter(({ language, code }) => language === 'sh' && !code.startsWith('npm pack'))
    assert.deepEqual(
      others.filter((block) => !isRequest(block)).map(({ code }) => code),
      [known[0], known[2], known[1]],
    )
    assert.deepEqual([...new Set(blocks.map(({ language }) => language))], ['sh', 'js'])
  })

  test('has requests that work one after the other, as they stand', whereCurlIs, () =>
    onServer([], async ({ url }) => {
      const answers: string[] = []
      for (const { code } of blocks.filter(isRequest)) {
        const { stdout } = await run('sh', ['-euc', at(url, code)], {
          cwd: scratch,
          env: { ...process.env, CURL_HOME: scratch },
        }).catch((error: { stdout: string; stderr: string }) => assert.fail(`${code}\n${error.stdout}${error.stderr}`))
        answers.push(stdout)
      }
      const [domain = '', created = '', children = '', sent = '', version = '', found = ''] = answers
      assert.equal(answers.length, 6)
      assert.equal(JSON.parse(domain).properties['dc:title'], 'Domain')
      assert.equal(JSON.parse(created).path, '/default-domain/workspaces/report')
      assert.deepEqual(titlesIn(children), ['Report'])
      assert.ok(sent.endsWith('Call the printer about the report.\n'), sent)
      assert.equal(JSON.parse(version).path, '/default-domain/workspaces/notes')
      assert.deepEqual(new Set(titlesIn(found)), new Set(['Report', 'Notes on the report']))
      assert.equal(titlesIn(found).length, 2)
    }),
  )

  test('has a script for the published client that works as it stands', async () => {
    const [{ code = '' } = {}] = blocks.filter(({ language }) => language === 'js')
    const start = blocks.find((block) => block.code.includes('--vendor'))?.code ?? ''
    await onServer(start.trim().split(' ').slice(3), async ({ url }) => {
      const script = join(scratch, 'script.mjs')
      await writeFile(script, at(url, code))
      assert.equal((await run(process.execPath, [script])).stdout, 'Workspaces\n')
    })
  })

  test('names the version that a tarball has', async () => {
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
    assert.ok(blocks.some(({ code }) => code.includes(`quire-${version}.tgz`)))
  })

  test('tells which Node.js is enough for every package that npm ci installs', async () => {
    const [, least = ''] = /Node\.js (\d+\.\d+) or later/.exec(await readFile(join(root, 'README.md'), 'utf8')) ?? []
    const lock: Lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'))
    const refusing = Object.entries(lock.packages).filter(([, { engines }]) => !allows(engines?.node ?? '*', `${least}.0`))
    assert.deepEqual(
      refusing.map(([name, { engines }]) => `${name} wants ${engines?.node}`),
      [],
    )
    assert.equal(lock.packages['']?.engines?.node, `>=${least}`)
  })

  test('the rule for that refuses what npm refuses', () => {
    for (const range of ['>=22', '^18.0.0', '^20.20 || >=22', '20.18.x', '>=18 <20', '~20.18.0'])
      assert.ok(!allows(range, '20.19.0'), range)
    for (const range of [
      '*',
      '>= 0.4',
      '^20.19.0 || >=22.12.0',
      '20 || >=22',
      '^20.12||^22',
      '6.* || >= 10.*',
      '>=18 <21',
      '~20.19.0',
    ]) {
      assert.ok(allows(range, '20.19.0'), range)
    }
  })
})

interface Lock {
  readonly packages: { readonly [path: string]: { readonly engines?: { readonly node?: string } } }
}

function titlesIn(page: string): readonly string[] {
  return JSON.parse(page).entries.map(({ title }: { title: string }) => title)
}

/** Whether a range of versions, as far as packages write it, has the version. */
function allows(range: string, version: string): boolean {
  return range.split('||').some((all) => {
    const comparators = all
      .trim()
      .replaceAll(/([<>=~^]+)\s+/g, '$1')
      .split(/\s+/)
    return comparators.every((comparator) => isWithin(comparator, partsOf(version)))
  })
}

function isWithin(comparator: string, [major = 0, minor = 0, patch = 0]: readonly number[]): boolean {
  const [, sign = '', text = ''] = /^([<>=~^]*)v?(.*)$/.exec(comparator) ?? []
  const wanted = partsOf(text)
  const difference = major - (wanted[0] ?? major) || minor - (wanted[1] ?? minor) || patch - (wanted[2] ?? patch)
  if (sign === '>=') return difference >= 0
  if (sign === '>') return difference > 0
  if (sign === '<') return difference < 0
  if (sign === '<=') return difference <= 0
  if (sign === '^') return major === wanted[0] && difference >= 0
  if (sign === '~') return major === wanted[0] && minor === (wanted[1] ?? minor) && difference >= 0
  return difference === 0
}

/** As many as are told: `20.x` tells one. */
function partsOf(version: string): readonly number[] {
  const parts = version.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : Number.NaN))
  const end = parts.findIndex(Number.isNaN)
  return end === -1 ? parts : parts.slice(0, end)
}
