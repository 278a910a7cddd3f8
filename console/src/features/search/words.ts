import { defineWords } from '../../words/words.ts'

export const useSearchWords = defineWords(
  {
    search: 'Search',
    placeholder: 'Search everything',
    title: 'Search',
    found: { one: '{count} document found', other: '{count} documents found' },
    nothing: 'Nothing was found for “{words}”',
    nothingHint: 'Fewer words, or only the beginning of a word followed by *, find more.',
    begin: 'Type what you are looking for',
  },
  {
    search: 'Rechercher',
    placeholder: 'Rechercher partout',
    title: 'Recherche',
    found: { one: '{count} document trouvé', other: '{count} documents trouvés' },
    nothing: 'Rien n’a été trouvé pour « {words} »',
    nothingHint: 'Moins de mots, ou le début d’un mot suivi de *, en trouvent davantage.',
    begin: 'Écrivez ce que vous cherchez',
  },
)
