import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { ApiRequest } from './request.ts'
import { type FilePart, isForm, readForm } from './sent-form.ts'

const crlf = '\r\n'
const part = (headers: readonly string[], content: string) => `--limit${crlf}${headers.join(crlf)}${crlf}${crlf}${content}${crlf}`
const field = (name: string, value: string) => part([`Content-Disposition: form-data; name="${name}"`], value)
const file = (disposition: string, content: string, type?: string) =>
  part([`Content-Disposition: form-data; ${disposition}`, ...(type === undefined ? [] : [`Content-Type: ${type}`])], content)
const whole = (...parts: readonly string[]) => `${parts.join('')}--limit--${crlf}`

function aRequest(chunks: Iterable<Uint8Array | string>, contentType = 'multipart/form-data; boundary=limit'): ApiRequest {
  const bytes = [...chunks].map((chunk) => Buffer.from(chunk as string))
  return { headers: { 'content-type': contentType }, openBody: () => Readable.from(bytes) } as unknown as ApiRequest
}

const keep = async ({ name, contentType, content }: FilePart) => ({ name, contentType, text: String(await buffer(content)) })
const read = (form: string, contentType?: string) => readForm(aRequest([form], contentType), { maxBytes: 1e9 }, keep)

describe('a form', () => {
  test('gives its first file, while others are passed over, and its fields', async () => {
    const form = whole(
      field('versioning', 'minor'),
      file('name="file"; filename="a.txt"', 'one', 'text/plain; charset=utf-8'),
      file('name="file"; filename="b.txt"', 'two', 'text/html'),
      field('more', 'naïve'),
    )
    const { file: taken, fields } = await read(form)
    assert.deepEqual(taken, { name: 'a.txt', contentType: 'text/plain; charset=utf-8', text: 'one' })
    assert.deepEqual(
      [...fields],
      [
        ['versioning', 'minor'],
        ['more', 'naïve'],
      ],
    )
  })

  const names: readonly (readonly [disposition: string, name: string | null])[] = [
    ['name="f"; filename="plan v2.txt"', 'plan v2.txt'],
    ['name=f; filename=plan.txt', 'plan.txt'],
    ['filename="a.txt"; name="f"', 'a.txt'],
    ['name="f"; filename="été 😀 שלום.txt"', 'été 😀 שלום.txt'],
    ['name="f"; filename="a\\"b.txt"', 'a"b.txt'],
    ['name="f"; filename="a%20b+c.txt"', 'a%20b+c.txt'],
    ['name="f"; filename="C:\\dir\\a.txt"', 'a.txt'],
    ['name="f"; filename="/etc/passwd"', 'passwd'],
    ['name="f"; filename="a;b=c.txt"', 'a;b=c.txt'],
    ['name="f"; filename="old.txt"; filename*=UTF-8\'\'caf%C3%A9.txt', 'café.txt'],
    ['name="f"; filename="old.txt"; filename*=UTF-8\'\'%zz', 'old.txt'],
    ['name="f"; FILENAME="a.txt"', 'a.txt'],
  ]
  for (const [disposition, name] of names) {
    test(`has a file called ${name} when its part says ${disposition}`, async () => {
      assert.deepEqual((await read(whole(file(disposition, 'x')))).file, { name, contentType: null, text: 'x' })
    })
  }

  test('has a file without a name when the type of a part says that it is none of its fields', async () => {
    const { file: taken } = await read(whole(file('name="f"', 'x', 'application/octet-stream')))
    assert.deepEqual(taken, { name: null, contentType: 'application/octet-stream', text: 'x' })
  })

  test('has no file when none was chosen', async () => {
    const form = whole(file('name="f"; filename=""', '', 'application/octet-stream'), field('a', 'b'))
    assert.equal((await read(form)).file, undefined)
    assert.equal((await read(`--limit--${crlf}`)).file, undefined)
  })

  test('may have parts without headers, which are passed over', async () => {
    const form = whole(`--limit${crlf}${crlf}lost${crlf}`, file('name="f"; filename="a"', 'x'))
    assert.equal((await read(form)).file?.text, 'x')
  })

  test('may have text before and behind it, and a quoted boundary', async () => {
    const form = `preamble${crlf}${whole(file('name="f"; filename="a"', 'x'))}epilogue`
    assert.equal((await read(form, 'Multipart/Form-Data; boundary="limit"')).file?.text, 'x')
  })

  test('names its boundary in its first line alone, as older clients do', async () => {
    const form = whole(file('name="f"; filename="a"', 'x'), field('b', 'c'))
    for (const type of ['multipart/form-data', 'multipart/form-data; boundary=""', 'multipart/form-data; charset=utf-8']) {
      const { file: taken, fields } = await read(form, type)
      assert.deepEqual([taken?.text, fields.get('b')], ['x', 'c'])
    }
    assert.equal((await read(form.replace(crlf, ` \t${crlf}`), 'multipart/form-data')).file?.text, 'x')
  })

  test('may lack its last boundary when its parts are whole', async () => {
    const form = file('name="f"; filename="a"', `x${crlf}`)
    for (const end of ['', '--limit', `--limit${crlf}`]) assert.equal((await read(`${form}${end}`)).file?.text, `x${crlf}`)
  })

  test('may have a part without content', async () => {
    const headers = `--limit${crlf}Content-Disposition: form-data; name="f"; filename="a"${crlf}${crlf}`
    for (const end of ['', crlf]) assert.equal((await read(`${headers}${end}--limit--`)).file?.text, '')
  })

  test('may have folded headers and more headers than are looked at', async () => {
    const headers = [
      `Content-Disposition: form-data;${crlf} filename="a"`,
      ...Array.from({ length: 500 }, (_, at) => `h${at}: x`),
    ]
    assert.equal((await read(whole(part(headers, 'x')))).file?.name, 'a')
  })

  for (const [lines, end] of [
    ['CRLF', crlf],
    ['LF', '\n'],
  ] as const) {
    test(`gives the same file however its bytes arrive in lines that end with ${lines}`, () => arrivesWhole(end))
  }

  async function arrivesWhole(lineEnd: string): Promise<void> {
    const content = fc.array(fc.constantFrom(crlf, '\n', '\r', '--', '--limit', '-', 'x', `${lineEnd}--limi`, '\0'), {
      maxLength: 20,
    })
    await fc.assert(
      fc.asyncProperty(content, fc.array(fc.nat(400), { maxLength: 8 }), async (pieces, cuts) => {
        // The boundary itself can be in no file.
        const text = pieces.join('')
        fc.pre(!`${lineEnd}${text}`.includes(`${lineEnd}--limit`))
        const form = whole(file('name="f"; filename="a"', 'TEXT'), field('b', 'c'))
        const bytes = Buffer.from(form.replaceAll(crlf, lineEnd).replace('TEXT', () => text))
        const places = [0, ...cuts.filter((cut) => cut < bytes.length).sort((left, right) => left - right), bytes.length]
        const chunks = places.slice(1).map((end, index) => bytes.subarray(places[index], end))
        const read = await readForm(aRequest(chunks), { maxBytes: 1e9 }, keep)
        assert.deepEqual([read.file?.text, read.fields.get('b')], [text, 'c'])
      }),
    )
  }

  const broken: readonly (readonly [what: string, form: string, contentType?: string])[] = [
    ['is empty', ''],
    ['is no form', 'just text'],
    ['has another boundary', whole(file('name="f"; filename="a"', 'x')), 'multipart/form-data; boundary=other'],
    ['names no boundary and begins with none', `x${crlf}${whole(file('name="f"; filename="a"', 'x'))}`, 'multipart/form-data'],
    ['names no boundary and begins with its end', whole(), 'multipart/form-data'],
    ['names an empty boundary and begins with none', 'x', 'multipart/form-data; boundary=""'],
    ['begins with an endless boundary', `--${'x'.repeat(500)}${crlf}`, 'multipart/form-data'],
    ['begins with an endless line', `--${'x'.repeat(5000)}`, 'multipart/form-data'],
    ['has endless headers', `--limit${crlf}a: ${'x'.repeat(100_000)}`],
    ['names an endless boundary', whole(), `multipart/form-data; boundary=${'x'.repeat(5000)}`],
    ['ends in a header', `--limit${crlf}Content-Disposition: form-da`],
    ['ends with a header', `--limit${crlf}Content-Disposition: form-data; filename="a"${crlf}`],
    ['ends in its file', whole(file('name="f"; filename="a"', 'x'.repeat(100_000))).slice(0, -5000)],
    ['ends in its last boundary', whole(file('name="f"; filename="a"', 'x')).slice(0, -6)],
  ]
  for (const [what, form, contentType] of broken) {
    test(`is refused when it ${what}`, async () => {
      await assert.rejects(read(form, contentType), { code: 'malformedForm', kind: 'invalid' })
    })
  }

  test('fails as its file does, and no more is asked of the sender', async () => {
    const body = Readable.from(Array.from({ length: 100 }, () => Buffer.alloc(100_000)))
    const head = Buffer.from(`--limit${crlf}Content-Disposition: form-data; filename="a"${crlf}${crlf}`)
    body.unshift(head)
    const request = { ...aRequest([]), openBody: () => body } as ApiRequest
    const full = new Error('disk full')
    const failing = async ({ content }: FilePart) => {
      for await (const _ of content) throw full
    }
    await assert.rejects(readForm(request, { maxBytes: 1e9 }, failing), full)
    assert.ok(body.destroyed)
  })

  test('fails as its sender does, and its file does too', async () => {
    const gone = new Error('gone')
    async function* breaking() {
      yield Buffer.from(`--limit${crlf}Content-Disposition: form-data; filename="a"${crlf}${crlf}some`)
      throw gone
    }
    const request = { ...aRequest([]), openBody: () => Readable.from(breaking()) } as ApiRequest
    let ofFile: unknown
    const reading = readForm(request, { maxBytes: 1e9 }, async ({ content }) => {
      await buffer(content).catch((error: unknown) => {
        ofFile = error
        throw error
      })
    })
    await assert.rejects(reading, gone)
    await new Promise(setImmediate)
    assert.equal(ofFile, gone)
  })

  test('cuts a field that is longer than any that is looked at', async () => {
    assert.equal((await read(whole(field('a', 'x'.repeat(100_000))))).fields.get('a')?.length, 65_536)
  })
})

test('a form is told by its media type alone', () => {
  const types = [
    'multipart/form-data; boundary=x',
    'Multipart/Form-Data',
    'multipart/related; boundary=x',
    'multipart/form-dataX',
    '',
  ]
  assert.deepEqual(
    types.map((type) => isForm({ headers: { 'content-type': type } })),
    [true, true, false, false, false],
  )
})
