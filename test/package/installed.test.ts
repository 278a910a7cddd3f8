import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'

const root = resolve(import.meta.dirname, '../..')
const run = promisify(execFile)

// As on a machine that has Node.js and npm and nothing of this project, in particular not the Node.js that it brings along.
const path = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'))
const inherited = Object.entries(process.env).filter(([name]) => !/^(QUIRE_|NODE_|npm_|INIT_CWD$)/.test(name))
const env = { ...Object.fromEntries(inherited), PATH: path.join(delimiter) }
const quietly = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel', 'error']

describe('the package, installed in an empty folder', () => {
  let folder = ''
  let deployment = ''
  let listed: readonly string[] = []
  const inDeployment = (command: string, ...args: string[]) => run(command, args, { cwd: deployment, env })

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quire-package-'))
    deployment = join(folder, 'Our Archive')
    await mkdir(deployment)
    const { stdout } = await run('npm', ['pack', '--json', '--silent', '--pack-destination', folder], { cwd: root, env })
    const [packed] = Object.values<{ filename: string; files: { path: string }[] }>(
      JSON.parse(stdout.slice(stdout.search(/[[{]/))),
    )
    assert.ok(packed)
    listed = packed.files.map(({ path: file }) => file)
    await inDeployment('npm', 'install', ...quietly, join(folder, packed.filename))
  })
  after(() => rm(folder, { recursive: true, force: true }))

  test('holds JavaScript with its types and the documentation, and no test and no source', () => {
    for (const needed of ['README.md', 'bin/quire.js', 'dist/index.js', 'dist/types/testing.d.ts', 'docs/extending.md']) {
      assert.ok(listed.includes(needed), needed)
    }
    const strange = listed.filter((file) => /^(src|test|bench|examples|node_modules|\.)/.test(file) || /\.test\./.test(file))
    assert.deepEqual(strange, ['template/plugins/contracts.test.ts'])
  })

  test('makes a deployment whose plugin passes its test, whose types are sound, and which serves', async () => {
    const { stdout } = await inDeployment('npx', 'quire', 'init')
    assert.match(stdout, /npm start/)
    assert.equal(JSON.parse(await readFile(join(deployment, 'package.json'), 'utf8')).name, 'our-archive')
    await inDeployment('npm', 'install', ...quietly)
    await inDeployment('npm', 'run', '--silent', 'types')
    const { stdout: report } = await inDeployment('npm', 'test')
    assert.match(report, /pass 2\b/)

    const server = await serve('npx', 'quire', 'serve', '--port', '0')
    try {
      const answer = await fetch(`${server.url}api/v1/config/types/Contract`, { headers: administrator })
      assert.equal(answer.status, 200, await answer.text())
    } finally {
      await server.stop()
    }
  })

  test('makes none where a file would be overwritten, and leaves everything as it was', async () => {
    const other = join(folder, 'other')
    await mkdir(other)
    await writeFile(join(other, 'tsconfig.json'), '{}')
    const refused = await inDeployment('npx', 'quire', 'init', other).catch((error) => error)
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /^quire: nothing was written, because this is there already: tsconfig\.json$/m)
    assert.deepEqual(await readdir(other), ['tsconfig.json'])
  })

  test('lends its modules to a plugin in a folder where it is not installed', async () => {
    const plugin = join(folder, 'elsewhere')
    await mkdir(plugin)
    await writeFile(
      join(plugin, 'quire.config.ts'),
      `import { defineChain, definePlugin } from 'quire'
       export default { plugins: [definePlugin({ name: 'elsewhere', chains: [defineChain({ id: 'Elsewhere.None', steps: [] })] })] }`,
    )
    const { stdout } = await inDeployment(
      'npx',
      'quire',
      'operations',
      'Elsewhere.None',
      '--config',
      join(plugin, 'quire.config.ts'),
    )
    assert.match(stdout, /Elsewhere\.None/)
  })

  const administrator = { authorization: `Basic ${Buffer.from('Administrator:Administrator').toString('base64')}` }

  async function serve(command: string, ...args: string[]) {
    const child = spawn(command, args, { cwd: deployment, env, stdio: ['ignore', 'pipe', 'inherit'], detached: true })
    const ended = once(child, 'exit')
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
    return {
      url: /http:\S+/.exec(line)?.[0] ?? '',
      async stop() {
        // npx hands no signal on; a terminal sends one to the whole group.
        process.kill(-(child.pid ?? 0), 'SIGTERM')
        await ended
      },
    }
  }
})
