import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  type Converter,
  type ConverterWay,
  converterUnavailable,
  converterUnknown,
  noConverter,
  sourceTypeRefused,
} from './converter.ts'
import { createPlanner, type PlannedStep } from './plan-conversion.ts'
import type { ProgramName } from './programs.ts'

const way = (needs: readonly ProgramName[] = [], sources?: readonly string[]): ConverterWay => ({
  module: new URL('file:///work.ts'),
  needs,
  ...(sources && { sources }),
})
const working = (name: string, sources: readonly string[], destination: string, ways = [way()]): Converter => ({
  name,
  sources,
  destinations: [destination],
  ways,
})

const converters: readonly Converter[] = [
  working('all2html', ['*'], 'text/html'),
  working('image2png', ['image/*'], 'image/png'),
  working('first', ['text/plain'], 'text/html'),
  working('second', ['text/plain'], 'text/html'),
  working('html2pdf', ['text/html'], 'application/pdf', [way(['soffice'])]),
  working('narrow', ['text/y', 'text/z'], 'application/x-narrow', [way([], ['text/y'])]),
  working('two ways', ['text/x'], 'application/pdf', [way(['soffice']), way()]),
  { name: 'chain', sources: ['text/plain'], destinations: ['application/pdf'], steps: ['second', 'html2pdf'] },
  { name: 'byTypes', sources: ['text/plain'], destinations: ['application/x-typed'], types: ['text/html', 'application/pdf'] },
  { name: 'circle', sources: ['*'], destinations: ['application/x-circle'], steps: ['circle'] },
  {
    name: 'dispatcher',
    sources: ['*'],
    destinations: ['application/x-any'],
    dispatch: (mimeType, { can }) => (can('image2png') ? ['image2png'] : mimeType === 'text/plain' ? ['second'] : []),
  },
]

const planner = (programs: readonly ProgramName[] = [], checksSources = true) =>
  createPlanner({ converters, has: (name) => programs.includes(name), checksSources })
const names = (steps: readonly PlannedStep[]) => steps.map(({ converter }) => converter)

describe('6.3 by type', () => {
  test('an exact source wins, and of several the last that was contributed', () =>
    assert.deepEqual(names(planner().byType('text/plain', 'text/html')), ['second']))
  test('then one of the same family, then one of all types', () => {
    assert.deepEqual(names(planner().byType('image/gif', 'image/png')), ['image2png'])
    assert.deepEqual(names(planner().byType('image/gif', 'text/html')), ['all2html'])
  })
  test('else the way leads through HTML', () =>
    assert.deepEqual(names(planner(['soffice']).byType('image/gif', 'application/pdf')), ['all2html', 'html2pdf']))
  test('the same type takes nothing', () => assert.deepEqual(planner().byType('image/gif', 'image/gif'), []))
  test('nobody makes it', () =>
    assert.throws(
      () => planner().byType('image/gif', 'application/x-unheard'),
      (error) => noConverter.is(error),
    ))
  test('who could make it lacks a program', () =>
    assert.throws(
      () => planner().byType('text/html', 'application/pdf'),
      (error) =>
        converterUnavailable.is(error) &&
        error.message === "The 'html2pdf' converter is not available: it needs soffice on the server",
    ))
})

describe('by name', () => {
  test('one that is unknown is not registered', () =>
    assert.throws(
      () => planner().byName('unheard', 'text/plain'),
      (error) => converterUnknown.is(error),
    ))
  test('6.2 its sources are checked, unless that is turned off', () => {
    assert.throws(
      () => planner().byName('second', 'image/gif'),
      (error) => sourceTypeRefused.is(error),
    )
    assert.deepEqual(names(planner([], false).byName('second', 'image/gif')), ['second'])
  })
  test('takes its first way whose programs are there', () => {
    assert.deepEqual(planner(['soffice']).byName('two ways', 'text/x')[0]?.way.needs, ['soffice'])
    assert.deepEqual(planner().byName('two ways', 'text/x')[0]?.way.needs, [])
  })
  test('one that names a type and has no way for it is not available, unless sources are not looked at', () => {
    const isUnavailable = (error: unknown) => converterUnavailable.is(error as Error)
    assert.deepEqual(names(planner().byName('narrow', 'text/y')), ['narrow'])
    assert.throws(() => planner().byName('narrow', 'text/z'), isUnavailable)
    assert.throws(() => planner().byType('text/z', 'application/x-narrow'), isUnavailable)
    assert.deepEqual(names(planner([], false).byName('narrow', 'text/html')), ['narrow'])
  })
  test('6.4 a chain is there when each of its steps is', () => {
    assert.deepEqual(names(planner(['soffice']).byName('chain', 'text/plain')), ['second', 'html2pdf'])
    assert.throws(() => planner().byName('chain', 'text/plain'), /html2pdf.*is not available/)
    assert.deepEqual(names(planner(['soffice']).byName('byTypes', 'text/plain')), ['second', 'html2pdf'])
  })
  test('a dispatcher decides by the type', () => {
    assert.deepEqual(names(planner().byName('dispatcher', 'image/gif')), ['image2png'])
    assert.deepEqual(names(planner().byName('dispatcher', 'text/plain')), ['second'])
    assert.throws(
      () => planner().byName('dispatcher', 'audio/ogg'),
      (error) => converterUnavailable.is(error),
    )
  })
  test('one that leads to itself comes to an end', () =>
    assert.throws(
      () => planner().byName('circle', 'text/plain'),
      (error) => converterUnavailable.is(error),
    ))
})

test('one for all types is nothing special', () => {
  assert.equal(planner().hasSpecific('audio/ogg', 'text/html'), false)
  assert.equal(planner().hasSpecific('text/plain', 'text/html'), true)
})
