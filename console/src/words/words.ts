import { createContext, useContext } from 'react'

export const languages = ['en', 'fr'] as const
export type Language = (typeof languages)[number]

/** A text, or one for each plural form of its `count`. `{name}` stands for a value. */
type Words = { readonly [key: string]: string | { readonly one: string; readonly other: string } }
type Values = { readonly [name: string]: string | number }
export type Say<Key extends string = string> = (key: Key, values?: Values) => string

export const LanguageContext = createContext<Language>('en')

export function useLanguage(): Language {
  return useContext(LanguageContext)
}

/** What a screen says, in every language; a text that one of them lacks is a mistake that the compiler finds. */
export function defineWords<const English extends Words>(en: English, fr: { readonly [Key in keyof English]: Words[string] }) {
  const words: Record<Language, Words> = { en, fr }
  // One for each language there is: rules of plurals cost more to make than the row that says something.
  const said: Partial<Record<Language, Say>> = {}
  return function useWords(): Say<keyof English & string> {
    const language = useLanguage()
    said[language] ??= sayIn(words[language], language)
    return said[language]
  }
}

/** As `defineWords`, for what is not said by a component: in the language that the page has by then. */
export function defineWordsOfPage<const English extends Words>(
  en: English,
  fr: { readonly [Key in keyof English]: Words[string] },
): Say<keyof English & string> {
  return (key, values) => {
    const language = chooseLanguage(document.documentElement.lang, [])
    return sayIn({ en, fr }[language], language)(key, values)
  }
}

/** In French a space stands before these marks and within quotation marks, at which no line breaks. */
const unbroken = (text: string) => text.replaceAll(/ (?=[;:!?»])|(?<=«) /g, '\u00a0')

export function sayIn(words: Words, language: Language): Say {
  const plural = new Intl.PluralRules(language)
  const numbers = new Intl.NumberFormat(language)
  return (key, values = {}) => {
    const text = words[key] ?? key
    const chosen = typeof text === 'string' ? text : text[plural.select(Number(values['count'])) === 'one' ? 'one' : 'other']
    const whole = language === 'fr' ? unbroken(chosen) : chosen
    return whole.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const value = values[name]
      return typeof value === 'number' ? numbers.format(value) : (value ?? '')
    })
  }
}

/** The language that somebody chose, else the first of the browser's that there is. */
export function chooseLanguage(chosen: string | null, offered: readonly string[]): Language {
  const wanted = [...(chosen === null ? [] : [chosen]), ...offered].map((tag) => tag.slice(0, 2).toLowerCase())
  return wanted.find((tag): tag is Language => languages.some((language) => language === tag)) ?? 'en'
}
