import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { loadScript } from '../../bin/load-script.js'

const answering = (answer: string) => `exports.answer = () => '${answer}'; exports.place = [moduleUrl, moduleFolder]`

describe('a script of the bundle', () => {
  const { NODE_COMPILE_CACHE: before } = process.env
  let folder = ''
  let cache = ''
  let file = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'quire-script-'))
    cache = join(folder, 'cache')
    file = join(folder, 'whole.cjs')
    process.env['NODE_COMPILE_CACHE'] = cache
  })
  afterEach(() => {
    if (before === undefined) delete process.env['NODE_COMPILE_CACHE']
    else process.env['NODE_COMPILE_CACHE'] = before
    rmSync(folder, { recursive: true })
  })

  const moduleUrl = () => pathToFileURL(join(folder, 'whole.js')).href
  function load(source?: string) {
    if (source !== undefined) writeFileSync(file, source)
    const { exports, keepCompiled } = loadScript(file, moduleUrl())
    const { answer, place } = exports as { answer(): string; place: unknown }
    return { answer, place, keepCompiled }
  }
  const kept = () => readdirSync(cache)
  const keptBytes = () => readFileSync(join(cache, kept()[0] ?? ''))

  test('gives its exports, and knows the module that stands for it', () => {
    const { answer, place } = load(answering('one'))
    assert.equal(answer(), 'one')
    assert.deepEqual(place, [moduleUrl(), folder])
  })

  test('is kept with the functions that it has called, and the next start leaves that as it is', () => {
    load(answering('one')).keepCompiled()
    const uncalled = keptBytes().length
    rmSync(cache, { recursive: true })
    const first = load()
    first.answer()
    first.keepCompiled()
    const called = keptBytes()
    assert.ok(called.length > uncalled, `${called.length} bytes with the function, ${uncalled} without`)
    const second = load()
    assert.equal(second.answer(), 'one')
    second.keepCompiled()
    assert.deepEqual(keptBytes(), called)
  })

  test('of another source, be it as long, is never run as the one that was kept, and takes its place', () => {
    load(answering('one')).keepCompiled()
    const [outdated] = kept()
    const other = load(answering('two'))
    assert.equal(other.answer(), 'two')
    other.keepCompiled()
    assert.equal(kept().length, 1)
    assert.notEqual(kept()[0], outdated)
  })

  test('that was damaged where it is kept is compiled and kept anew', () => {
    load(answering('one')).keepCompiled()
    const sound = keptBytes()
    for (const damaged of [sound.subarray(0, -100), sound.subarray(0, 3), Buffer.from(sound).fill(7, 200, 240)]) {
      writeFileSync(join(cache, kept()[0] ?? ''), damaged)
      const script = load()
      assert.equal(script.answer(), 'one')
      script.keepCompiled()
      assert.deepEqual(load().answer(), 'one')
      assert.notDeepEqual(keptBytes(), damaged)
    }
  })

  test('imports what is no part of it without a warning, which would stand before the first line of the server', async () => {
    const warnings: Error[] = []
    const hear = (warning: Error) => warnings.push(warning)
    process.on('warning', hear)
    load(`exports.answer = () => import('node:os')`).answer()
    await setTimeout(20)
    process.emitWarning('another one')
    await setTimeout(20)
    process.off('warning', hear)
    assert.deepEqual(
      warnings.map(({ message }) => message),
      ['another one'],
    )
  })

  test('runs where nothing can be kept', () => {
    writeFileSync(cache, 'a file in the way')
    const script = load(answering('one'))
    script.keepCompiled()
    assert.equal(script.answer(), 'one')
    delete process.env['NODE_COMPILE_CACHE']
    load().keepCompiled()
    assert.equal(readFileSync(cache, 'utf8'), 'a file in the way')
  })
})
