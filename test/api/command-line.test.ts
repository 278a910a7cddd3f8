import assert from 'node:assert/strict'
import { cp, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, before, describe, test } from 'node:test'
import manifest from '../../package.json' with { type: 'json' }
import { runProgram, startProgram } from '../support/program.ts'
import { quireProgram } from '../support/quire-program.ts'

// Its own child is to be what it really is.
const pretendOld = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.1.0' } }); delete process.env.NODE_OPTIONS`
const oldNode = { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(pretendOld)}` }

describe('quire, called', () => {
  const rows: readonly [string, readonly string[], Record<string, string>, number, RegExp, RegExp][] = [
    ['without a command', [], {}, 0, /^Quire,.*^ +serve +start the server$/ms, /^$/],
    ['with --version', ['--version'], {}, 0, new RegExp(`^${RegExp.escape(manifest.version)}\n$`), /^$/],
    ['with help serve', ['help', 'serve'], {}, 0, /--database-url <url>.*QUIRE_DATABASE_URL/s, /^$/],
    ['with serve --help', ['serve', '--help'], {}, 0, /--workers <number>.*default 1 · QUIRE_WORKERS/s, /^$/],
    [
      'on an old Node.js, which hands it to a newer one',
      ['serve', '--prot', '1'],
      oldNode,
      2,
      /^$/,
      /^quire: --prot is not a.*\n$/,
    ],
    ['with an unknown command', ['sevre'], {}, 2, /^$/, /^quire: there is no command "sevre".*\n$/],
    ['with an unknown flag', ['serve', '--prot', '1'], {}, 2, /^$/, /^quire: --prot is not a setting.*\n$/],
    ['with an ill-typed flag', ['serve', '--port', 'x'], {}, 2, /^$/, /^quire: --port is "x" but must be a whole number.*\n$/],
    ['with an unknown variable', ['serve'], { QUIRE_PROT: '1' }, 2, /^$/, /^quire: QUIRE_PROT is not a setting.*\n$/],
    ['with an ill-typed variable', ['serve'], { QUIRE_WORKERS: 'many' }, 2, /^$/, /^quire: QUIRE_WORKERS is "many" but.*\n$/],
    ['with an absent file', ['serve', '--config', 'no.ts'], {}, 2, /^$/, /^quire: configuration file .*no such file\n$/],
    [
      'open to all',
      ['serve', '--host', '0.0.0.0'],
      {},
      1,
      /^$/,
      /^quire: refusing to listen on 0\.0\.0\.0.*default password.*\n$/,
    ],
  ]
  for (const [how, args, variables, code, printed, complained] of rows) {
    test(`${how} ends with ${code}`, async () => {
      const outcome = await runProgram(quireProgram, args, variables)
      assert.match(outcome.printed, printed)
      assert.match(outcome.complained, complained)
      assert.equal(outcome.code, code)
    })
  }
})

test('quire on an old Node.js whose newer one cannot be started says so and ends with 1', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'quire-node-'))
  const [copy, node] = [join(folder, 'bin/quire.js'), join(folder, 'node_modules/node')]
  await mkdir(join(node, 'bin'), { recursive: true })
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  await writeFile(join(node, 'package.json'), '{ "name": "node" }')
  await writeFile(join(node, 'bin/node'), 'not even a program', { mode: 0o600 })
  await cp(resolve(import.meta.dirname, '../../bin'), join(folder, 'bin'), { recursive: true })
  const { code, complained } = await runProgram(copy, ['--version'], oldNode)
  await rm(folder, { recursive: true })
  assert.match(
    complained,
    /^quire: cannot start .*bin\/node, the Node\.js that it needs: .*EACCES; to install it anew: npm rebuild node\n$/,
  )
  assert.equal(code, 1)
})

describe('quire serve', () => {
  let data = ''
  before(async () => {
    data = join(await mkdtemp(join(tmpdir(), 'quire-serve-')), 'data')
  })
  after(() => rm(resolve(data, '..'), { recursive: true }))

  const administrator = { authorization: `Basic ${Buffer.from('Administrator:Administrator').toString('base64')}` }

  for (const workers of ['1', '2']) {
    test(`with ${workers} worker(s) answers the administrator, keeps its data private, and ends with 0 when told to`, async () => {
      const program = await startProgram(quireProgram, ['serve', '--port', '0', '--data', data, '--workers', workers])
      const answer = await fetch(`${program.url}api/v1/capabilities`, { headers: administrator })
      program.kill('SIGTERM')
      const { code } = await program.ended
      assert.equal(answer.status, 200)
      assert.equal(code, 0)
      assert.equal((await stat(data)).mode & 0o777, 0o700)
    })
  }
})
