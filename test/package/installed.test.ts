import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { readmePackageCommands } from '../support/readme.ts'

const root = resolve(import.meta.dirname, '../..')
const run = promisify(execFile)

// As on a machine that has Node.js and npm and nothing of this project, in particular not the Node.js that it brings along.
const path = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'))
const inherited = Object.entries(process.env).filter(([name]) => !/^(QUIRE_|NODE_|npm_|INIT_CWD$)/.test(name))
const quietly = {
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  npm_config_prefer_offline: 'true',
  npm_config_loglevel: 'error',
}
const env = { ...Object.fromEntries(inherited), ...quietly, PATH: path.join(delimiter) }

describe('the package, installed in an empty folder as README tells it', () => {
  let folder = ''
  let deployment = ''
  let tarball = ''
  let commands: readonly string[] = []
  const inDeployment = (command: string, ...args: string[]) => run(command, args, { cwd: deployment, env })
  /** A command of README, as it stands but for the folder that is ours. */
  const paste = (command: string, cwd: string) => run('sh', ['-ec', command], { cwd, env })

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quire-package-'))
    commands = (await readmePackageCommands()).map((command) => command.replaceAll(/\/tmp\b/g, folder))
    const [pack = '', enter = '', install = ''] = commands
    await paste(pack, root)
    deployment = (await paste(`${enter} && pwd`, root)).stdout.trim()
    tarball = install.split(' ').at(-1) ?? ''
    await paste(install, deployment)
  })
  after(() => rm(folder, { recursive: true, force: true }))

  test('holds JavaScript with its types and the documentation, and no test and no source', async () => {
    const { stdout } = await run('tar', ['-tzf', tarball])
    const listed = stdout
      .trimEnd()
      .split('\n')
      .map((file) => file.replace(/^package\//, ''))
    for (const needed of [
      'README.md',
      'bin/quire.js',
      'dist/index.js',
      'dist/types/testing.d.ts',
      'dist/types/console.d.ts',
      'docs/extending.md',
    ]) {
      assert.ok(listed.includes(needed), needed)
    }
    const strange = listed.filter((file) => /^(src|test|bench|examples|node_modules|\.)/.test(file) || /\.test\./.test(file))
    assert.deepEqual(strange.sort(), ['template/plugins/contracts-console.test.ts', 'template/plugins/contracts.test.ts'])
  })

  test('makes a deployment whose plugin passes its test, whose types are sound, and which serves', async () => {
    const [, , , init = '', testing = '', serving = '', ...more] = commands
    assert.deepEqual(more, [])
    const { stdout } = await paste(init, deployment)
    assert.match(stdout, /npm start/)
    await inDeployment('npm', 'run', '--silent', 'types')
    const { stdout: report } = await paste(testing, deployment)
    assert.match(report, /pass 2\b/)

    const server = await serve(`${serving} --port 0 --log-level warn`)
    try {
      const answer = await fetch(`${server.url}api/v1/config/types/Contract`, { headers: administrator })
      assert.equal(answer.status, 200, await answer.text())
    } finally {
      await server.stop()
    }
  })

  test('gives a deployment a name that npm takes', async () => {
    await inDeployment('npx', 'quire', 'init', join(folder, 'Our Archive'))
    assert.equal(JSON.parse(await readFile(join(folder, 'Our Archive/package.json'), 'utf8')).name, 'our-archive')
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

  test('tells the place of a mistake in a plugin', async () => {
    const plugin = join(folder, 'mistaken.js')
    await writeFile(plugin, 'const name = "p"\nexport default { name,, }\n')
    await writeFile(join(folder, 'mistaken.config.ts'), "import p from './mistaken.js'\nexport default { plugins: [p] }\n")
    const refused = await inDeployment('npx', 'quire', 'serve', '--config', join(folder, 'mistaken.config.ts')).catch(
      (error) => error,
    )
    assert.equal(refused.code, 2)
    assert.ok(refused.stderr.includes(`: ${plugin}:2:23: SyntaxError: Unexpected token ','\n`), refused.stderr)
  })

  const administrator = { authorization: `Basic ${Buffer.from('Administrator:Administrator').toString('base64')}` }

  async function serve(command: string) {
    const child = spawn('sh', ['-c', command], { cwd: deployment, env, stdio: ['ignore', 'pipe', 'inherit'], detached: true })
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
