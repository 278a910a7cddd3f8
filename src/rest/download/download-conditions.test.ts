import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type DownloadPlan, planDownload } from './download-conditions.ts'

const etag = '"abc"'
const modified = 'Tue, 05 Mar 2024 10:11:12 GMT'
const earlier = 'Tue, 05 Mar 2024 10:11:11 GMT'
const later = 'Tue, 05 Mar 2024 10:11:13 GMT'
const validators = { etag, lastModified: Date.parse(modified) + 345, length: 100 }

const whole: DownloadPlan = { kind: 'whole' }
const notModified: DownloadPlan = { kind: 'notModified' }
const preconditionFailed: DownloadPlan = { kind: 'preconditionFailed' }
const part: DownloadPlan = { kind: 'part', range: { start: 10, end: 19 } }

describe('the plan of a download', () => {
  const rows: [headers: { [name: string]: string }, plan: DownloadPlan][] = [
    [{}, whole],
    [{ 'if-modified-since': modified }, notModified],
    [{ 'if-modified-since': later }, whole],
    [{ 'if-modified-since': earlier }, whole],
    [{ 'if-modified-since': 'yesterday' }, whole],
    [{ 'if-none-match': etag }, notModified],
    [{ 'if-none-match': 'W/"abc"' }, notModified],
    [{ 'if-none-match': '*' }, notModified],
    [{ 'if-none-match': '"x", "abc" , "y"' }, notModified],
    [{ 'if-none-match': 'abc' }, whole],
    [{ 'if-none-match': '"ab"' }, whole],
    [{ 'if-none-match': '"x"', 'if-modified-since': later }, whole],
    [{ range: 'bytes=10-19' }, part],
    [{ range: 'bytes=10-19', 'if-none-match': etag }, notModified],
    [{ range: 'bytes=10-19', 'if-range': etag }, part],
    [{ range: 'bytes=10-19', 'if-range': '"other"' }, whole],
    [{ range: 'bytes=10-19', 'if-range': 'W/"abc"' }, whole],
    [{ range: 'bytes=10-19', 'if-range': modified }, whole],
    [{ range: 'bytes=100-' }, { kind: 'rangeBeyondEnd' }],
    [{ range: 'bytes=100-', 'if-range': '"other"' }, whole],
    [{ 'if-match': etag }, whole],
    [{ 'if-match': '*' }, whole],
    [{ 'if-match': '"other"' }, preconditionFailed],
    [{ 'if-match': 'W/"abc"' }, preconditionFailed],
    [{ 'if-match': '"other"', range: 'bytes=10-19' }, preconditionFailed],
    [{ 'if-match': etag, 'if-unmodified-since': earlier }, whole],
    [{ 'if-unmodified-since': modified }, whole],
    [{ 'if-unmodified-since': earlier }, preconditionFailed],
    [{ 'if-unmodified-since': 'yesterday' }, whole],
  ]
  for (const [headers, plan] of rows) {
    test(`with ${JSON.stringify(headers)} is ${plan.kind}`, () =>
      assert.deepEqual(planDownload({ method: 'GET', headers }, validators), plan))
  }

  test('of a method that changes something fails where a GET would be spared', () => {
    assert.deepEqual(planDownload({ method: 'HEAD', headers: { 'if-none-match': etag } }, validators), notModified)
    assert.deepEqual(planDownload({ method: 'POST', headers: { 'if-none-match': etag } }, validators), preconditionFailed)
    assert.deepEqual(planDownload({ method: 'POST', headers: { 'if-modified-since': later } }, validators), whole)
  })

  test('asks for no date where there is none', () => {
    const undated = { ...validators, lastModified: undefined }
    assert.deepEqual(planDownload({ method: 'GET', headers: { 'if-modified-since': later } }, undated), whole)
    assert.deepEqual(planDownload({ method: 'GET', headers: { 'if-unmodified-since': earlier } }, undated), whole)
  })
})
