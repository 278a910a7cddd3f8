import { defineWords, type Say } from '../../words/words.ts'
import { useTypeNames } from '../documents/type-words.ts'
import { useFieldNames } from '../forms/words.ts'
import { type Token, tokensOf, unquoted } from './nxql-tokens.ts'

const useQueryWords = defineWords(
  {
    everything: 'Everything',
    'of type': 'Everything of type {types}',
    where: 'where',
    sorted: 'sorted by',
    and: 'and',
    or: 'or',
    not: 'not',
    '=': 'is',
    '!=': 'is not',
    '<>': 'is not',
    '<': 'is less than',
    '>': 'is more than',
    '<=': 'is at most',
    '>=': 'is at least',
    like: 'is like',
    ilike: 'is like (in any case)',
    in: 'is one of',
    between: 'is between',
    startswith: 'is below',
    is: 'is',
    null: 'not set',
    asc: 'upwards',
    desc: 'downwards',
    yes: 'yes',
    no: 'no',
    'ecm:fulltext': 'the text (words)',
    'ecm:path': 'the place',
    'ecm:primaryType': 'the type',
    'ecm:mixinType': 'the facet',
    'ecm:currentLifeCycleState': 'the state',
    'ecm:isVersion': 'a version',
    'ecm:isTrashed': 'in the trash',
    'ecm:isProxy': 'published',
    'ecm:isCheckedIn': 'unchanged since its version',
    'ecm:parentId': 'the folder',
    'ecm:ancestorId': 'a folder above',
    'ecm:uuid': 'the id',
    'ecm:name': 'the name',
    'ecm:tag': 'a tag',
    'ecm:lockOwner': 'who has locked it',
    'ecm:versionLabel': 'the version',
    'ecm:pos': 'the position',
    'now()': 'now',
    'in quotes': '“{text}”',
  },
  {
    everything: 'Tout',
    'of type': 'Tout ce qui est du type {types}',
    where: 'où',
    sorted: 'trié par',
    and: 'et',
    or: 'ou',
    not: 'non',
    '=': 'est',
    '!=': 'n’est pas',
    '<>': 'n’est pas',
    '<': 'est inférieur à',
    '>': 'est supérieur à',
    '<=': 'est au plus',
    '>=': 'est au moins',
    like: 'ressemble à',
    ilike: 'ressemble à (sans égard à la casse)',
    in: 'est parmi',
    between: 'est entre',
    startswith: 'est sous',
    is: 'est',
    null: 'non renseigné',
    asc: 'croissant',
    desc: 'décroissant',
    yes: 'oui',
    no: 'non',
    'ecm:fulltext': 'le texte (mots)',
    'ecm:path': 'l’emplacement',
    'ecm:primaryType': 'le type',
    'ecm:mixinType': 'la facette',
    'ecm:currentLifeCycleState': 'l’état',
    'ecm:isVersion': 'une version',
    'ecm:isTrashed': 'à la corbeille',
    'ecm:isProxy': 'publié',
    'ecm:isCheckedIn': 'inchangé depuis sa version',
    'ecm:parentId': 'le dossier',
    'ecm:ancestorId': 'un dossier supérieur',
    'ecm:uuid': 'l’identifiant',
    'ecm:name': 'le nom',
    'ecm:tag': 'un mot-clé',
    'ecm:lockOwner': 'qui l’a verrouillé',
    'ecm:versionLabel': 'la version',
    'ecm:pos': 'la position',
    'now()': 'maintenant',
    'in quotes': '« {text} »',
  },
)

/** Whose words are the same in a language of people. */
const keywords: ReadonlySet<string> = new Set(['where', 'and', 'or', 'not', 'is'])

/** A query as somebody would say it, part by part; what is no query gives nothing. */
export function useExplanation(query: string): string {
  const say = useQueryWords() as Say
  const typeName = useTypeNames()
  const fieldName = useFieldNames()
  const tokens = tokensOf(query).filter(({ kind }) => kind !== 'blank')
  const placeOf = (word: string) => tokens.findIndex(({ text }) => text.toUpperCase() === word)
  const from = placeOf('FROM')
  if (from < 0 || from === tokens.length - 1) return ''
  const nameOf = (field: string) => {
    const known = say(field)
    return known === field ? say('in quotes', { text: fieldName(field) }) : known
  }
  const said = (token: Token, index: number): string => {
    const { kind, text } = token
    const word = text.toLowerCase()
    if (kind === 'text') return say('in quotes', { text: unquoted(text) })
    if (kind === 'number' && /^ecm:is[A-Z]/.test(tokens[index - 2]?.text ?? '')) return say(text === '0' ? 'no' : 'yes')
    if (kind === 'word' && text.includes(':')) return nameOf(text)
    if (word === 'order') return `, ${say('sorted')}`
    if (word === 'by') return ''
    const known = say(word)
    return known === word && !keywords.has(word) ? text : known
  }
  const types: string[] = []
  let rest = from + 1
  for (; rest < tokens.length && !/^(?:WHERE|ORDER)$/i.test(tokens[rest]?.text ?? ''); rest += 1) {
    const { kind, text } = tokens[rest] as Token
    if (kind === 'word') types.push(text)
  }
  const subject =
    types.length === 0 || types.includes('Document')
      ? say('everything')
      : say('of type', { types: types.map(typeName).join(', ') })
  const further = tokens.slice(rest).map((token, index) => said(token, rest + index))
  return [subject, ...further]
    .filter(Boolean)
    .join(' ')
    .replaceAll(/ ([,)])/g, '$1')
    .replaceAll('( ', '(')
}
