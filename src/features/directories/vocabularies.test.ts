import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { builtinContributions } from '../../../test/support/model/builtin-model.ts'
import { vendorIdentifiers } from '../../base/vendor.ts'
import type { CsvRow } from '../../core/directories/csv.ts'
import { type DataFile, readDataRows } from '../../core/directories/data-file.ts'
import type { DirectoryDefinition } from '../../core/directories/directory-definition.ts'
import { type Labels, readLabels } from './labels.ts'

/** The 249 codes of ISO 3166-1. The five of Antarctica and the islands around it are covered by the continent. */
const countryByIsoCode = `
  AD Andorra  AE United_Arab_Emirates  AF Afghanistan  AG Antigua_and_Barbuda  AI Anguilla  AL Albania  AM Armenia
  AO Angola  AQ antarctica  AR Argentina  AS American_Samoa  AT Austria  AU Australia  AW Aruba  AX Aland_Islands
  AZ Azerbaijan  BA Bosnia_and_Herzegovina  BB Barbados  BD Bangladesh  BE Belgium  BF Burkina_Faso  BG Bulgaria
  BH Bahrain  BI Burundi  BJ Benin  BL Saint_Barthelemy  BM Bermuda  BN Brunei  BO Bolivia  BQ Caribbean_Netherlands
  BR Brazil  BS Bahamas  BT Bhutan  BV antarctica  BW Botswana  BY Belarus  BZ Belize  CA Canada  CC Cocos_Islands
  CD Democratic_Republic_of_the_Congo  CF Central_African_Republic  CG Congo  CH Switzerland  CI Cote_d_Ivoire
  CK Cook_Islands  CL Chile  CM Cameroon  CN China  CO Colombia  CR Costa_Rica  CU Cuba  CV Cape_Verde  CW Curacao
  CX Christmas_Island  CY Cyprus  CZ Czechia  DE Germany  DJ Djibouti  DK Denmark  DM Dominica
  DO Dominican_Republic  DZ Algeria  EC Ecuador  EE Estonia  EG Egypt  EH Western_Sahara  ER Eritrea  ES Spain
  ET Ethiopia  FI Finland  FJ Fiji  FK Falkland_Islands  FM Micronesia  FO Faroe_Islands  FR France  GA Gabon
  GB United_Kingdom  GD Grenada  GE Georgia  GF French_Guiana  GG Guernsey  GH Ghana  GI Gibraltar  GL Greenland
  GM Gambia  GN Guinea  GP Guadeloupe  GQ Equatorial_Guinea  GR Greece  GS antarctica  GT Guatemala  GU Guam
  GW Guinea-Bissau  GY Guyana  HK Hong_Kong  HM antarctica  HN Honduras  HR Croatia  HT Haiti  HU Hungary
  ID Indonesia  IE Ireland  IL Israel  IM Isle_of_Man  IN India  IO British_Indian_Ocean_Territory  IQ Iraq  IR Iran
  IS Iceland  IT Italy  JE Jersey  JM Jamaica  JO Jordan  JP Japan  KE Kenya  KG Kyrgyzstan  KH Cambodia
  KI Kiribati  KM Comoros  KN Saint_Kitts_and_Nevis  KP North_Korea  KR South_Korea  KW Kuwait  KY Cayman_Islands
  KZ Kazakhstan  LA Laos  LB Lebanon  LC Saint_Lucia  LI Liechtenstein  LK Sri_Lanka  LR Liberia  LS Lesotho
  LT Lithuania  LU Luxembourg  LV Latvia  LY Libya  MA Morocco  MC Monaco  MD Moldova  ME Montenegro
  MF Saint_Martin  MG Madagascar  MH Marshall_Islands  MK North_Macedonia  ML Mali  MM Myanmar  MN Mongolia
  MO Macao  MP Northern_Mariana_Islands  MQ Martinique  MR Mauritania  MS Montserrat  MT Malta  MU Mauritius
  MV Maldives  MW Malawi  MX Mexico  MY Malaysia  MZ Mozambique  NA Namibia  NC New_Caledonia  NE Niger
  NF Norfolk_Island  NG Nigeria  NI Nicaragua  NL Netherlands  NO Norway  NP Nepal  NR Nauru  NU Niue
  NZ New_Zealand  OM Oman  PA Panama  PE Peru  PF French_Polynesia  PG Papua_New_Guinea  PH Philippines  PK Pakistan
  PL Poland  PM Saint_Pierre_and_Miquelon  PN Pitcairn  PR Puerto_Rico  PS Palestine  PT Portugal  PW Palau
  PY Paraguay  QA Qatar  RE Reunion  RO Romania  RS Serbia  RU Russia  RW Rwanda  SA Saudi_Arabia
  SB Solomon_Islands  SC Seychelles  SD Sudan  SE Sweden  SG Singapore  SH Saint_Helena  SI Slovenia
  SJ Svalbard_and_Jan_Mayen  SK Slovakia  SL Sierra_Leone  SM San_Marino  SN Senegal  SO Somalia  SR Suriname
  SS South_Sudan  ST Sao_Tome_and_Principe  SV El_Salvador  SX Sint_Maarten  SY Syria  SZ Eswatini
  TC Turks_and_Caicos_Islands  TD Chad  TF antarctica  TG Togo  TH Thailand  TJ Tajikistan  TK Tokelau
  TL Timor-Leste  TM Turkmenistan  TN Tunisia  TO Tonga  TR Turkey  TT Trinidad_and_Tobago  TV Tuvalu  TW Taiwan
  TZ Tanzania  UA Ukraine  UG Uganda  UM United_States_Minor_Outlying_Islands  US United_States_of_America
  UY Uruguay  UZ Uzbekistan  VA Vatican_City  VC Saint_Vincent_and_the_Grenadines  VE Venezuela
  VG British_Virgin_Islands  VI United_States_Virgin_Islands  VN Vietnam  VU Vanuatu  WF Wallis_and_Futuna  WS Samoa
  YE Yemen  YT Mayotte  ZA South_Africa  ZM Zambia  ZW Zimbabwe
`

const isoCodes = new Map(Array.from(countryByIsoCode.matchAll(/(\S+) (\S+)/g), ([, code = '', id = '']) => [code, id]))

const columnsOfSchema: { readonly [schema: string]: readonly string[] } = {
  vocabulary: ['id', 'label', 'obsolete', 'ordering'],
  xvocabulary: ['id', 'label', 'parent', 'obsolete', 'ordering'],
  l10nxvocabulary: ['id', 'label_en', 'label_fr', 'parent', 'obsolete', 'ordering'],
}

/** Those of all features. */
const vocabularies = builtinContributions.directories.filter(({ schema }) => schema in columnsOfSchema)

const rowsByDirectory = new Map<string, readonly CsvRow[]>()

let labels: Labels

before(async () => {
  labels = await readLabels({ definitions: new Map(vocabularies.map((one) => [one.name, one])) })
  for (const { name, dataFile } of vocabularies) rowsByDirectory.set(name, await rowsIn(dataFile))
})

function rowsIn(dataFile: DataFile | undefined, word = 'platform'): Promise<readonly CsvRow[]> {
  assert.ok(dataFile, 'every built-in vocabulary has a data file')
  return readDataRows(dataFile, vendorIdentifiers(word)) as Promise<readonly CsvRow[]>
}

function rowsOf(directory: string): readonly CsvRow[] {
  const rows = rowsByDirectory.get(directory)
  assert.ok(rows, `${directory} is a built-in vocabulary`)
  return rows
}

const idsOf = (directory: string) => rowsOf(directory).map((row) => row['id'] ?? '')
const definitionOf = (name: string) => vocabularies.find((vocabulary) => vocabulary.name === name)
const rootsOf = (directory: string) => rowsOf(directory).filter((row) => row['parent'] === '')
const childrenOf = (directory: string) => rowsOf(directory).filter((row) => row['parent'] !== '')

describe('every built-in vocabulary', () => {
  for (const { name, schema, parentDirectory } of vocabularies) {
    test(`${name} has the columns of ${schema} and each id once`, () => {
      assert.ok(rowsOf(name).length > 0)
      for (const row of rowsOf(name)) assert.deepEqual(Object.keys(row), columnsOfSchema[schema])
      const ids = idsOf(name)
      assert.ok(ids.every((id) => id.trim() === id && id !== ''))
      assert.equal(new Set(ids).size, ids.length)
    })

    test(`${name} has whole numbers as ordering and a flag as obsolete`, () => {
      for (const { ordering = '', obsolete = '' } of rowsOf(name)) {
        assert.match(ordering, /^\d+$/)
        assert.match(obsolete, /^[01]$/)
      }
    })

    if (parentDirectory !== undefined) {
      test(`${name} has its parents in ${parentDirectory}`, () => {
        const possible = new Set(idsOf(parentDirectory))
        for (const { id, parent = '' } of childrenOf(name)) assert.ok(possible.has(parent), `${id} is below ${parent}`)
      })
    }
  }

  const labelled = vocabularies.filter(({ schema }) => !schema.startsWith('l10n'))
  for (const locale of ['en', 'fr'] as const) {
    for (const { name } of labelled) {
      test(`${name} has a text in ${locale} for each label`, () => {
        for (const { label = '' } of rowsOf(name)) assert.ok(labels[locale].get(label)?.trim(), label)
      })
    }

    test(`has labels, and no text in ${locale} is left over`, () => {
      const used = new Set(labelled.flatMap(({ name }) => rowsOf(name).map((row) => row['label'])))
      assert.deepEqual(
        [...labels[locale].keys()].filter((key) => !used.has(key)),
        [],
      )
    })
  }
})

describe('the vocabularies', () => {
  const sizes = {
    continent: 7,
    country: 244,
    l10ncoverage: 251,
    topic: 5,
    subtopic: 52,
    l10nsubjects: 58,
    nature: 37,
    language: 11,
    subject: 15,
    search_operators: 6,
    eventTypes: 66,
    eventCategories: 8,
    predicates: 5,
    inverse_predicates: 5,
  }
  for (const [name, size] of Object.entries(sizes)) {
    test(`${name} has ${size} entries`, () => assert.equal(rowsOf(name).length, size))
  }

  test('label their entries by directory and id', () => {
    for (const name of [
      'continent',
      'country',
      'topic',
      'subtopic',
      'nature',
      'language',
      'subject',
      'search_operators',
      'eventTypes',
    ]) {
      for (const { id, label } of rowsOf(name)) assert.equal(label, `label.directories.${name}.${id}`)
    }
  })

  test('are listed except for those of the system', () => {
    const names = (wanted: (definition: DirectoryDefinition) => boolean) => vocabularies.filter(wanted).map(({ name }) => name)
    assert.deepEqual(
      names(({ types }) => types.includes('system')),
      ['subject', 'search_operators', 'eventTypes', 'eventCategories'],
    )
    assert.equal(names(({ types }) => types.length === 0).length, vocabularies.length - 4)
  })

  test('refuse to lose an entry that others have as their parent', () => {
    const childDirectory = { continent: 'country', topic: 'subtopic', l10ncoverage: 'l10ncoverage', l10nsubjects: 'l10nsubjects' }
    for (const [name, directory] of Object.entries(childDirectory)) {
      assert.deepEqual(definitionOf(name)?.deleteConstraints, [{ directory, field: 'parent' }])
      assert.equal(definitionOf(directory)?.parentDirectory, name)
    }
  })
})

describe('countries', () => {
  test('are those of ISO 3166-1, with the continent standing for Antarctica', () => {
    assert.equal(isoCodes.size, 249)
    const byTheContinent = [...isoCodes].filter(([, id]) => id === 'antarctica').map(([code]) => code)
    assert.deepEqual(byTheContinent, ['AQ', 'BV', 'GS', 'HM', 'TF'])
    const expected = [...isoCodes.values()].filter((id) => id !== 'antarctica').sort()
    assert.deepEqual(idsOf('country').toSorted(), expected)
  })

  test('have ids of plain letters joined by underscores', () => {
    for (const id of idsOf('country')) assert.match(id, /^[A-Z][a-z]+(?:[_-][A-Za-z]+)*$/)
  })

  test('are the same, below the same continents, in coverage', () => {
    const placed = ({ id, parent }: CsvRow) => ({ id, parent })
    assert.deepEqual(childrenOf('l10ncoverage').map(placed), rowsOf('country').map(placed))
    assert.deepEqual(
      rootsOf('l10ncoverage').map(placed),
      idsOf('continent').map((id) => ({ id, parent: '' })),
    )
  })

  test('have a continent', () => {
    for (const { id, parent } of rowsOf('country')) assert.ok(parent, `${id} lies on a continent`)
  })

  test('have a name of their own in English and in French', () => {
    for (const column of ['label_en', 'label_fr']) {
      const names = childrenOf('l10ncoverage').map((row) => row[column] ?? '')
      for (const name of names) assert.match(name, /^\p{Lu}[\p{L}' -]+$/u)
      assert.equal(new Set(names).size, names.length)
    }
  })

  const places: readonly [id: string, continent: string, english: string, french: string][] = [
    ['Portugal', 'europe', 'Portugal', 'Portugal'],
    ['France', 'europe', 'France', 'France'],
    ['Canada', 'north-america', 'Canada', 'Canada'],
    ['United_States_of_America', 'north-america', 'United States of America', "États-Unis d'Amérique"],
    ['Cote_d_Ivoire', 'africa', "Côte d'Ivoire", "Côte d'Ivoire"],
    ['Germany', 'europe', 'Germany', 'Allemagne'],
    ['Brazil', 'south-america', 'Brazil', 'Brésil'],
  ]
  for (const [id, continent, english, french] of places) {
    test(`include ${id} with its names`, () => {
      const row = rowsOf('l10ncoverage').find((candidate) => candidate['id'] === id)
      assert.deepEqual([row?.['parent'], row?.['label_en'], row?.['label_fr']], [continent, english, french])
      assert.equal(labels.en.get(`label.directories.country.${id}`), english)
      assert.equal(labels.fr.get(`label.directories.country.${id}`), french)
    })
  }
})

describe('subjects', () => {
  test('stand below six roots', () => {
    const roots = ['art', 'daily life', 'human sciences', 'sciences', 'society', 'technology']
    assert.deepEqual(
      rootsOf('l10nsubjects').map((row) => row['id']),
      roots,
    )
    assert.equal(childrenOf('l10nsubjects').length, 52)
  })

  const known: readonly [root: string, id: string, english: string][] = [
    ['daily life', 'gastronomy', 'Gastronomy'],
    ['art', 'comics', 'Comics'],
    ['art', 'culture', 'Culture'],
    ['art', 'cinema', 'Cinema'],
    ['art', 'architecture', 'Architecture'],
    ['society', 'ecology', 'Ecology'],
    ['sciences', 'astronomy', 'Astronomy'],
  ]
  for (const [root, id, english] of known) {
    test(`include ${english} below ${root}`, () => {
      const row = rowsOf('l10nsubjects').find((candidate) => candidate['id'] === id)
      assert.deepEqual([row?.['parent'], row?.['label_en']], [root, english])
    })
  }

  test('have a name of their own in English and in French', () => {
    for (const column of ['label_en', 'label_fr']) {
      const names = rowsOf('l10nsubjects').map((row) => row[column] ?? '')
      for (const name of names) assert.match(name, /^\p{Lu}[\p{L} ]+$/u)
      assert.equal(new Set(names).size, names.length)
    }
  })

  test('are the subtopics too', () => {
    assert.deepEqual(
      idsOf('subtopic').toSorted(),
      childrenOf('l10nsubjects')
        .map((row) => row['id'])
        .sort(),
    )
  })
})

describe('natures', () => {
  const english = { article: 'Article', application: 'Application', booklet: 'Booklet', invoice: 'Invoice', memo: 'Memo' }
  for (const [id, text] of Object.entries(english)) {
    test(`show ${id} as ${text} in English`, () => {
      assert.ok(idsOf('nature').includes(id))
      assert.equal(labels.en.get(`label.directories.nature.${id}`), text)
    })
  }
})

describe('event vocabularies', () => {
  test('order the event types in steps of ten', () => {
    rowsOf('eventTypes').forEach((row, index) => {
      assert.equal(row['ordering'], String((index + 1) * 10))
    })
  })

  test('name the events that the core audits', () => {
    const audited =
      `addedToCollection removedFromCollection afterMakeRecord afterSetRetention afterExtendRetention afterSetLegalHold
      afterRemoveLegalHold retentionExpired retentionActiveChanged blobDigestUpdated documentCheckedIn documentCreated
      documentCreatedByCopy documentDuplicated documentLocked documentUnlocked documentModified documentMoved
      documentProxyPublished sectionContentPublished documentRemoved versionRemoved proxyRemoved documentRestored
      documentSecurityUpdated documentTrashed documentUntrashed download lifecycle_transition_event loginSuccess loginFailed
      logout user_created user_modified user_deleted group_created group_modified group_deleted`.split(/\s+/)
    const ids = new Set(idsOf('eventTypes'))
    assert.deepEqual(
      audited.filter((id) => !ids.has(id)),
      [],
    )
  })

  test('write the category of logins with the word of the deployment', async () => {
    const rows = await rowsIn(definitionOf('eventCategories')?.dataFile, 'acme')
    assert.ok(rows.some((row) => row['id'] === 'AcmeAuthentication'))
    assert.ok(idsOf('eventCategories').includes('PlatformAuthentication'))
  })
})

describe('relation predicates', () => {
  const predicates = ['References', 'IsBasedOn', 'Replaces', 'Requires', 'ConformsTo'].map(
    (name) => `http://purl.org/dc/terms/${name}`,
  )

  test('have the same ids in both directions', () => {
    assert.deepEqual(idsOf('predicates'), predicates)
    assert.deepEqual(idsOf('inverse_predicates'), predicates)
  })

  test('read differently in each direction', () => {
    assert.equal(labels.en.get('label.relation.predicate.Replaces'), 'Replaces')
    assert.equal(labels.en.get('label.relation.predicate.inverse.Replaces'), 'Is replaced by')
  })
})
