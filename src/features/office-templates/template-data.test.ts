import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findDate, parametersFor, parseTemplateData, type TemplateParameter } from './template-data.ts'

const parameter = (name: string, value: string | null, more: Partial<TemplateParameter> = {}): TemplateParameter => ({
  ...{ name, kind: 'String', value, isFixed: false, isLooped: false, members: [] },
  ...more,
})

describe('parameters of a template', () => {
  test('are read from XML, whatever its prefix', async () => {
    const xml = `<?xml version="1.0"?><a:templateParams xmlns:a="u"><templateParams>
      <a:field name="s" type="String" value="v">What it is</a:field>
      <field name="d" type="source" source="dc:title" autoloop="true"/>
      <field name="b" type="Boolean" value="true" readonly="true"/>
      <field name="m" type="Map"><field name="x" value="1"/></field></templateParams></a:templateParams>`
    assert.deepEqual(await parseTemplateData(xml), [
      parameter('s', 'v'),
      parameter('d', 'dc:title', { kind: 'source', isLooped: true }),
      parameter('b', 'true', { kind: 'Boolean', isFixed: true }),
      parameter('m', null, { kind: 'Map', members: [parameter('x', '1')] }),
    ])
  })

  test('are read from JSON', async () => {
    assert.deepEqual(await parseTemplateData('{"a": "b", "c": true, "d": [1], "e": {"f": null}}'), [
      parameter('a', 'b'),
      parameter('c', 'true', { kind: 'Boolean' }),
      parameter('d', null, { kind: 'List', members: [parameter('', '1')] }),
      parameter('e', null, { kind: 'Map', members: [parameter('f', null)] }),
    ])
  })

  for (const [what, text] of [
    ['are named twice', '<p><field name="a"/><field name="a"/></p>'],
    ['have entities', '<!DOCTYPE p [<!ENTITY e "x">]><p><field name="&e;"/></p>'],
    ['are nested too deeply', `${'{"a":'.repeat(7)}1${'}'.repeat(7)}`],
    ['are too many', `<p>${'<field name="a"/>'.repeat(1_001)}</p>`],
    ['are no names', '{"__proto__ x": 1}'],
    ['are too long', `{"a": "${'x'.repeat(500_001)}"}`],
  ] as const) {
    test(`are refused when they ${what}`, () => assert.rejects(parseTemplateData(text), { code: 'wrongTemplateData' }))
  }

  test('have dates as editors write them, and as ISO 8601 does', () => {
    assert.equal(findDate('2031-05-04 08:30:00.000'), '2031-05-04T08:30:00.000Z')
    assert.equal(findDate('2031-05-04'), '2031-05-04T00:00:00.000Z')
    assert.equal(findDate('2031-05-04T08:30:00+02:00'), '2031-05-04T06:30:00.000Z')
    for (const wrong of ['', '2031-13-04', 'tomorrow', '2031-05-04 25:00:00']) assert.equal(findDate(wrong), undefined)
  })

  test('of a document count where the template leaves them open', () => {
    const parameters = [parameter('a', 'theirs'), parameter('b', 'theirs', { isFixed: true }), parameter('c', '')]
    const own = ['a', 'b', 'c', 'd'].map((name) => parameter(name, 'ours'))
    const values = (allowsOverride: boolean) =>
      parametersFor({ parameters, allowsOverride }, own).map(({ name, value }) => `${name} ${value}`)
    assert.deepEqual(values(true), ['a ours', 'b theirs', 'c ours', 'd ours'])
    assert.deepEqual(values(false), ['a theirs', 'b theirs', 'c ours'])
  })
})
