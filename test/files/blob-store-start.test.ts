import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openBlobs } from '../../src/store/blobs/open-blobs.ts'
import { bucketUnusable } from '../../src/store/blobs/s3/s3-problems.ts'
import { useS3Server } from '../support/blob-places.ts'
import { sqlitePlace } from '../support/database-place.ts'
import { freshPlace } from '../support/fresh-place.ts'
import { runProgram } from '../support/program.ts'
import { quireProgram } from '../support/quire-program.ts'

describe('a server whose files are to be in S3', () => {
  const server = useS3Server()
  const open = (address: string) => openBlobs({ address, dataFolder: '/nowhere', digestAlgorithm: 'MD5' })
  const at = (bucket: string, rest = '') => `s3://${bucket}?endpoint=${server().url}${rest}`

  /** Starts with other variables than the right ones. */
  async function refusal(address: string, variables: { [name: string]: string | undefined } = {}): Promise<string> {
    const before = { ...process.env }
    for (const [name, value] of Object.entries(variables)) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
    try {
      await open(address)
      return 'it opened'
    } catch (error) {
      assert.ok(bucketUnusable.is(error), String(error))
      return error.message
    } finally {
      process.env = before
    }
  }

  test('opens when all is well', async () => {
    assert.equal((await open(at('files'))).digestAlgorithm, 'MD5')
  })

  test('says which bucket is missing', async () => {
    assert.match(await refusal(at('nothing-here')), /bucket nothing-here.*there is none of that name at http:\S+; create it/)
  })

  test('says that there are no credentials, and where they come from', async () => {
    const none = { AWS_ACCESS_KEY_ID: undefined, AWS_SECRET_ACCESS_KEY: undefined }
    assert.match(await refusal(at('files'), none), /no credentials; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY/)
  })

  test('says which half of the credentials is wrong, and repeats neither', async () => {
    const key = await refusal(at('files'), { AWS_ACCESS_KEY_ID: 'AKIAWRONG' })
    assert.match(key, /does not know the access key; correct AWS_ACCESS_KEY_ID/)
    const secret = await refusal(at('files'), { AWS_SECRET_ACCESS_KEY: 'topsecret' })
    assert.match(secret, /refuses the secret; correct AWS_SECRET_ACCESS_KEY/)
    assert.doesNotMatch(key + secret, /AKIAWRONG|topsecret/)
  })

  test('says that the region is another, or none at all', async () => {
    assert.match(await refusal(at('files', '&region=eu-west-1')), /another region; name it with \?region=/)
    assert.match(await refusal('s3://files', { AWS_REGION: undefined, AWS_DEFAULT_REGION: undefined }), /no region is known/)
  })

  test('says that nobody answers at the endpoint', async () => {
    assert.match(await refusal('s3://files?endpoint=http://127.0.0.1:1'), /http:\/\/127.0.0.1:1 does not answer \(ECONNREFUSED\)/)
  })

  test('ends with 1 and one line when the bucket cannot be used, with 2 when the address is wrong', async () => {
    const { folder } = await freshPlace('sqlite')
    const { flags } = sqlitePlace(folder)
    const serve = (address: string) =>
      runProgram(quireProgram, ['serve', '--port', '0', ...flags, '--blobs', address], server().variables)
    const unusable = await serve(at('nothing-here'))
    assert.equal(unusable.code, 1)
    assert.match(unusable.complained, /^quire: cannot use the bucket nothing-here of --blobs: [^\n]*\n$/)
    const wrong = await serve('s3://files?colour=red')
    assert.equal(wrong.code, 2)
    assert.match(wrong.complained, /^quire: --blobs has the parameter colour, which is not known: [^\n]*\n$/)
  })
})
