import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { transactionTimedOut } from '../problems.ts'
import { deadlineIn, noDeadline } from './deadline.ts'
import { createTurns } from './turns.ts'

describe('turns', () => {
  test('come one at a time in the order asked for', async () => {
    const turns = createTurns()
    const seen: string[] = []
    const work = async (name: string) => {
      const end = await turns.take(noDeadline)
      seen.push(`${name} begins`)
      await delay(1)
      seen.push(`${name} ends`)
      end()
    }
    await Promise.all(['a', 'b', 'c'].map(work))
    assert.deepEqual(seen, ['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
  })

  test('come as many at a time as there are places, in the order asked for', async () => {
    const turns = createTurns(2)
    const begun: string[] = []
    const take = async (name: string) => {
      const end = await turns.take(noDeadline)
      begun.push(name)
      return end
    }
    const [endA, , c] = [await take('a'), await take('b'), take('c'), take('d')]
    await delay(1)
    assert.deepEqual(begun, ['a', 'b'])
    endA()
    await c
    assert.deepEqual(begun, ['a', 'b', 'c'])
  })

  test('can be had before all who wait', async () => {
    const turns = createTurns()
    const seen: string[] = []
    const end = await turns.take(noDeadline)
    const later = turns.take(noDeadline).then((endTurn) => {
      seen.push('later')
      endTurn()
    })
    const next = turns.takeNext().then((endTurn) => {
      seen.push('next')
      endTurn()
    })
    end()
    await Promise.all([later, next])
    assert.deepEqual(seen, ['next', 'later'])
  })

  test('of those who gave up waiting go to the next in line', async () => {
    const turns = createTurns()
    const end = await turns.take(noDeadline)
    const impatient = turns.take(deadlineIn(0.01))
    const patient = turns.take(noDeadline)
    await assert.rejects(impatient, transactionTimedOut.is)
    end()
    const endPatient = await patient
    endPatient()
    await turns.take(noDeadline)
  })
})
