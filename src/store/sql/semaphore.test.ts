import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { transactionTimedOut } from '../problems.ts'
import { createSemaphore } from './semaphore.ts'
import { deadlineIn, noDeadline } from './transact.ts'

describe('a semaphore', () => {
  test('lets one in at a time, in the order asked for', async () => {
    const semaphore = createSemaphore()
    const seen: string[] = []
    const work = async (name: string) => {
      const end = await semaphore.acquire(noDeadline)
      seen.push(`${name} begins`)
      await delay(1)
      seen.push(`${name} ends`)
      end()
    }
    await Promise.all(['a', 'b', 'c'].map(work))
    assert.deepEqual(seen, ['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
  })

  test('lets as many in as it has permits, in the order asked for', async () => {
    const semaphore = createSemaphore(2)
    const begun: string[] = []
    const take = async (name: string) => {
      const end = await semaphore.acquire(noDeadline)
      begun.push(name)
      return end
    }
    const [endA, , c] = [await take('a'), await take('b'), take('c'), take('d')]
    await delay(1)
    assert.deepEqual([begun, semaphore.waiting], [['a', 'b'], 2])
    endA()
    await c
    assert.deepEqual([begun, semaphore.waiting], [['a', 'b', 'c'], 1])
  })

  test('lets one in ahead of all who wait but so many', async () => {
    const semaphore = createSemaphore()
    const seen: string[] = []
    const notes = (name: string) => (release: () => void) => {
      seen.push(name)
      release()
    }
    const end = await semaphore.acquire(noDeadline)
    const waiting = ['first', 'second', 'third'].map((name) => semaphore.acquire(noDeadline).then(notes(name)))
    const behindTwo = semaphore.acquireBehind(2).then(notes('behind two'))
    const behindMany = semaphore.acquireBehind(16).then(notes('behind all'))
    end()
    await Promise.all([...waiting, behindTwo, behindMany])
    assert.deepEqual(seen, ['first', 'second', 'behind two', 'third', 'behind all'])
  })

  test('passes the permit of a caller that gave up to the next in the queue', async () => {
    const semaphore = createSemaphore()
    const end = await semaphore.acquire(noDeadline)
    const impatient = semaphore.acquire(deadlineIn(0.01))
    const patient = semaphore.acquire(noDeadline)
    await assert.rejects(impatient, transactionTimedOut.is)
    end()
    const endPatient = await patient
    endPatient()
    await semaphore.acquire(noDeadline)
  })
})
