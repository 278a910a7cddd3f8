import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { blobsAddressWrong, parseBlobsAddress } from './blobs-address.ts'

describe('the address of the blobs', () => {
  test('without a scheme is a folder', () => {
    for (const path of ['/srv/blobs', './blobs', 'blobs', 'C:\\blobs', 's3:/bucket']) {
      assert.deepEqual(parseBlobsAddress(path), { kind: 'folder', path })
    }
  })

  test('names a bucket, a prefix and how to get there', () => {
    const cases: Record<string, object> = {
      's3://files': { bucket: 'files', prefix: '', pathStyle: false },
      'S3://files/': { bucket: 'files', prefix: '', pathStyle: false },
      's3://my.files-2/a': { bucket: 'my.files-2', prefix: 'a/', pathStyle: false },
      's3://files//a/b//?region=eu-west-1': { bucket: 'files', prefix: 'a/b/', region: 'eu-west-1', pathStyle: false },
      's3://files/a%20b/%C3%A9': { bucket: 'files', prefix: 'a b/é/', pathStyle: false },
      's3://files?endpoint=http://127.0.0.1:9000': {
        bucket: 'files',
        prefix: '',
        endpoint: 'http://127.0.0.1:9000',
        pathStyle: true,
      },
      's3://files?endpoint=https%3A%2F%2Fs3.example.org%2Fsub&pathStyle=false': {
        bucket: 'files',
        prefix: '',
        endpoint: 'https://s3.example.org/sub',
        pathStyle: false,
      },
      's3://files?pathStyle=true': { bucket: 'files', prefix: '', pathStyle: true },
    }
    for (const [text, place] of Object.entries(cases)) assert.deepEqual(parseBlobsAddress(text), { kind: 's3', ...place }, text)
  })

  const wrong: Record<string, RegExp> = {
    'gs://files': /scheme gs/,
    'https://s3.amazonaws.com/files': /scheme https/,
    's3://': /no bucket|no address/,
    's3:///prefix': /no bucket|no address/,
    's3://ab': /no bucket/,
    's3://files-': /no bucket/,
    's3://my files': /no bucket|no address/,
    's3://files/%zz': /%XX/,
    's3://files#a': /behind #/,
    's3://files?colour=red': /parameter colour/,
    's3://files?Region=x': /parameter Region/,
    's3://files?region=': /empty region/,
    's3://files?region=a&region=b': /region twice/,
    's3://files?endpoint=localhost:9000': /endpoint/,
    's3://files?endpoint=ftp://x': /endpoint/,
    's3://files?endpoint=http://me:secret@x': /endpoint/,
    's3://files?pathStyle=yes': /pathStyle/,
    's3://AKIA:topsecret@files': /credentials/,
  }
  for (const [text, message] of Object.entries(wrong)) {
    test(`is refused with the reason: ${text}`, () => {
      assert.throws(
        () => parseBlobsAddress(text),
        (error) => blobsAddressWrong.is(error) && message.test(error.message) && !/secret/.test(error.message),
      )
    })
  }
})
