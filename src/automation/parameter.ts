import type { Parameters, ParameterWord } from './values/words.ts'

/** A declared parameter of an operation. */
export interface Parameter<Word extends ParameterWord = ParameterWord> {
  readonly word: Word
  readonly isRequired: boolean
  readonly default?: Parameters[Word]
  readonly description?: string
  /** Other names under which clients send it. */
  readonly aliases?: readonly string[]
  /** Suggested values, for those who fill in a form; others are not refused. */
  readonly values?: readonly string[]
  readonly widget?: 'TextArea' | 'Option' | 'Check' | 'MailTemplate' | 'TemplateResource' | 'AuditEvent'
  /** Where it stands in the form; 0 when absent. */
  readonly order?: number
}

export type ParameterTable = { readonly [name: string]: Parameter }

type About<Word extends ParameterWord> = Omit<Partial<Parameter<Word>>, 'word' | 'isRequired' | 'default'>

export interface RequiredParameter<Word extends ParameterWord> extends Parameter<Word> {
  readonly isRequired: true
}

export interface DefaultedParameter<Word extends ParameterWord> extends Parameter<Word> {
  readonly default: Parameters[Word]
}

export function required<Word extends ParameterWord>(word: Word, about: About<Word> = {}): RequiredParameter<Word> {
  return { ...about, word, isRequired: true }
}

export function optional<Word extends ParameterWord>(word: Word, about: About<Word> = {}): Parameter<Word> {
  return { ...about, word, isRequired: false }
}

/** An optional parameter that is never absent for the body. */
export function defaulted<Word extends ParameterWord>(
  word: Word,
  value: Parameters[Word],
  about: About<Word> = {},
): DefaultedParameter<Word> {
  return { ...about, word, isRequired: false, default: value }
}

/** What the body is handed for a table of parameters. */
export type ParametersOf<Table extends ParameterTable> = {
  readonly [Name in keyof Table]: Table[Name] extends Parameter<infer Word>
    ? Table[Name] extends RequiredParameter<Word> | DefaultedParameter<Word>
      ? Parameters[Word]
      : Parameters[Word] | undefined
    : never
}
