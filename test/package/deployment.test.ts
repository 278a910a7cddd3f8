import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { before, describe, test } from 'node:test'
import { parse } from 'yaml'
import { settingGroups } from '../../src/builtin-settings.ts'
import { knownSettings } from '../../src/settings/known-settings.ts'
import { startTestServer } from '../../src/testing.ts'
import { filledDatabase } from '../support/filled-database.ts'

const folder = resolve(import.meta.dirname, '../../deploy')
const read = (...path: string[]) => readFile(join(folder, ...path), 'utf8')

describe('what comes for deployments', () => {
  test('names no setting that the server does not have', async () => {
    const known = new Set(knownSettings(settingGroups).map(({ variable }) => variable))
    const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
    const named = new Map<string, string>()
    for (const { parentPath, name } of files) {
      const text = await readFile(join(parentPath, name), 'utf8')
      for (const [variable] of text.matchAll(/QUIRE_[A-Z_]+/g)) named.set(variable, name)
    }
    // The one is of the composition itself, the name by which people reach it.
    named.delete('QUIRE_HOSTS')
    assert.ok(named.size > 5)
    assert.deepEqual(
      [...named].filter(([variable]) => !known.has(variable)),
      [],
    )
  })

  test('runs two servers that write nowhere but to their volumes, as nobody special', async () => {
    const { services } = parse(await read('compose.yaml'), { merge: true })
    for (const name of ['server-1', 'server-2']) {
      const { read_only, tmpfs, cap_drop, volumes } = services[name]
      assert.deepEqual([read_only, tmpfs, cap_drop, volumes], [true, ['/tmp'], ['ALL'], [`${name}:/var/lib/quire`]])
    }
    const image = await read('Dockerfile')
    assert.match(image, /^USER node$/m)
    assert.match(image, /^ENTRYPOINT \["\/opt\/quire\/node_modules\/\.bin\/quire"\]$/m)
    const upstream = await read('nginx.conf')
    for (const name of ['server-1', 'server-2']) assert.ok(upstream.includes(`server ${name}:8080`))
  })

  test('waits longer for a server to end than the server takes', async () => {
    const { default: stop } = (knownSettings(settingGroups).find(({ variable }) => variable === 'QUIRE_STOP_TIMEOUT')
      ?.declaration ?? {}) as { default?: string }
    assert.equal(stop, '30s')
    const values = parse(await read('helm', 'quire', 'values.yaml'))
    const waits = [
      values.terminationGracePeriodSeconds,
      Number(/TimeoutStopSec=(\d+)/.exec(await read('quire.service'))?.[1]),
      Number.parseInt(parse(await read('compose.yaml'), { merge: true }).services['server-1'].stop_grace_period, 10),
    ]
    assert.ok(
      waits.every((seconds) => seconds > 30),
      String(waits),
    )
  })

  test('has a chart whose templates use values that it has', async () => {
    const values = parse(await read('helm', 'quire', 'values.yaml'))
    const version = JSON.parse(await readFile(join(folder, '..', 'package.json'), 'utf8')).version
    assert.equal(parse(await read('helm', 'quire', 'Chart.yaml')).appVersion, version)
    const templates = await readdir(join(folder, 'helm', 'quire', 'templates'))
    let used = 0
    for (const template of templates) {
      const text = await read('helm', 'quire', 'templates', template)
      for (const [, path = ''] of text.matchAll(/\.Values\.([\w.]+)/g)) {
        used += 1
        const value = path.split('.').reduce((part, name) => part?.[name], values)
        assert.notEqual(value, undefined, `${template}: ${path}`)
      }
    }
    assert.ok(used > 10)
  })

  describe('to watch a server', () => {
    // The process that runs several others adds these.
    const ofSeveral = ['quire_workers', 'quire_worker_ends_total']
    const labelsOf = new Map<string, Set<string>>(ofSeveral.map((name) => [name, new Set()]))
    before(async () => {
      const server = await startTestServer({ settings: { ...(await filledDatabase('postgres')) } })
      try {
        const authorization = `Basic ${Buffer.from('Administrator:Administrator').toString('base64')}`
        await server.as('Administrator').get('/search/execute?query=SELECT * FROM Domain')
        const text = await (await fetch(new URL('metrics', server.url), { headers: { authorization } })).text()
        for (const [, name = ''] of text.matchAll(/^# TYPE (\w+) /gm)) labelsOf.set(name, new Set())
        for (const [, name = '', labels = ''] of text.matchAll(/^(\w+?)(?:_bucket|_sum|_count)?(?:\{(.*)\})? \S+$/gm))
          for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) labelsOf.get(name)?.add(label)
      } finally {
        await server.stop()
      }
    })

    function requireKnown(expression: string, where: string): void {
      const names = [...expression.matchAll(/\b(?:quire|process|nodejs)_\w+/g)].map(([name]) => name.replace(/_bucket$/, ''))
      assert.ok(names.length > 0, where)
      for (const name of names) assert.ok(labelsOf.has(name), `${where}: there is no ${name}`)
      const ofPrometheus = ['instance', 'le', 'job']
      const labels = new Set([...ofPrometheus, ...names.flatMap((name) => [...(labelsOf.get(name) ?? [])])])
      const isKnown = names.every((name) => labelsOf.get(name)?.size === 0)
      for (const [, by = ''] of expression.matchAll(/by \(([^)]*)\)/g))
        for (const label of by.split(/,\s*/)) assert.ok(isKnown || labels.has(label), `${where}: no label ${label}`)
    }

    test('has rules about figures that there are', async () => {
      const { groups } = parse(await read('monitoring', 'alerts.yaml'))
      const rules: { alert: string; expr: string; annotations: { summary: string } }[] = groups[0].rules
      assert.ok(rules.length > 5)
      for (const { alert, expr, annotations } of rules) {
        if (alert !== 'QuireDown') requireKnown(expr, alert)
        assert.match(annotations.summary, /\.$/)
      }
    })

    test('has a dashboard of figures that there are', async () => {
      const { panels } = JSON.parse(await read('monitoring', 'grafana-dashboard.json'))
      assert.ok(panels.length > 10)
      for (const { title, targets } of panels) for (const { expr } of targets) requireKnown(expr, title)
    })
  })
})
