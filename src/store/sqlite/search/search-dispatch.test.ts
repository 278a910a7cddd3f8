import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { raw } from 'sql-template-tag'
import { OutOfTime } from '../sqlite-errors.ts'
import { type BriefConnection, dispatchSearches } from './search-dispatch.ts'
import type { SearchPool } from './search-pool.ts'

type Elsewhere = Pick<SearchPool, 'searchWithin'>

/** Two places for searches of which each says where it ran; `long` are out of time here, and take their time elsewhere. */
function twoPlaces(long: ReadonlySet<string>) {
  const tried: string[] = []
  const here: BriefConnection = {
    async allBriefly(milliseconds, { sql }) {
      tried.push(`${sql} here for ${milliseconds}`)
      if (long.has(sql)) throw new OutOfTime()
      return [['here']]
    },
  }
  const elsewhere: Elsewhere = {
    async searchWithin(milliseconds, { sql }) {
      tried.push(`${sql} elsewhere for ${milliseconds}`)
      // By the clock on the wall both take long: the machine is busy.
      await delay(10)
      return { rows: [['elsewhere']], processorMilliseconds: long.has(sql) ? 10 : 1 }
    },
  }
  const { allWithin } = dispatchSearches(here, elsewhere)
  return { tried, search: (text: string) => allWithin(30_000, raw(text)) }
}

describe('a search', () => {
  test('that is brief runs here and nowhere else', async () => {
    const { tried, search } = twoPlaces(new Set())
    assert.deepEqual(await search('page'), [['here']])
    assert.deepEqual(tried, ['page here for 5'])
  })

  test('that is not brief runs elsewhere with all its time, and the next time without being tried here', async () => {
    const { tried, search } = twoPlaces(new Set(['scan']))
    assert.deepEqual(await search('scan'), [['elsewhere']])
    assert.deepEqual(await search('scan'), [['elsewhere']])
    assert.deepEqual(await search('page'), [['here']])
    assert.deepEqual(tried, ['scan here for 5', 'scan elsewhere for 30000', 'scan elsewhere for 30000', 'page here for 5'])
  })

  test('that has become brief elsewhere runs here again', async () => {
    const long = new Set(['scan'])
    const { search } = twoPlaces(long)
    await search('scan')
    long.clear()
    assert.deepEqual(await search('scan'), [['elsewhere']])
    assert.deepEqual(await search('scan'), [['here']])
  })

  test('that fails here for another reason fails', async () => {
    const failure = new Error('no such column')
    const here: BriefConnection = { allBriefly: () => Promise.reject(failure) }
    const elsewhere: Elsewhere = { searchWithin: async () => ({ rows: [], processorMilliseconds: 1 }) }
    await assert.rejects(dispatchSearches(here, elsewhere).allWithin(30_000, raw('x')), failure)
  })

  test('is tried here again when more have been long since than are remembered', async () => {
    const texts = Array.from({ length: 1_001 }, (_, index) => `scan ${index}`)
    const { tried, search } = twoPlaces(new Set(texts))
    await Promise.all(texts.map(search))
    tried.length = 0
    await Promise.all([search('scan 0'), search('scan 1000')])
    assert.deepEqual(tried.toSorted(), ['scan 0 elsewhere for 30000', 'scan 0 here for 5', 'scan 1000 elsewhere for 30000'])
  })
})
