import assert from 'node:assert/strict'
import { describe, mock, test } from 'node:test'
import { watchOtherCommits } from './other-commits.ts'

describe('commits of other processes on SQLite', () => {
  test('are told of once each look that finds another data version, while somebody listens', (context) => {
    context.after(() => mock.timers.reset())
    mock.timers.enable({ apis: ['setInterval'] })
    let version = 7
    let asked = 0
    const commits = watchOtherCommits(() => {
      asked += 1
      return version
    })
    const heard: string[] = []
    mock.timers.tick(100)
    assert.equal(asked, 0)
    const leave = commits.listen(() => heard.push('one'))
    const leaveToo = commits.listen(() => heard.push('other'))
    mock.timers.tick(100)
    assert.deepEqual(heard, [])
    version = 8
    mock.timers.tick(20)
    assert.deepEqual(heard, ['one', 'other'])
    mock.timers.tick(100)
    leave()
    version = 11
    mock.timers.tick(20)
    assert.deepEqual(heard, ['one', 'other', 'other'])
    leaveToo()
    const before = asked
    version = 12
    mock.timers.tick(100)
    assert.equal(asked, before)
    assert.equal(heard.length, 3)
  })
})
