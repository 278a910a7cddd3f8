import { defineWords } from '../../words/words.ts'

export const usePieceWords = defineWords(
  {
    failed: 'A part that the plugin “{plugin}” adds here has failed',
    tryAgain: 'Try again',
    noPage: 'There is no such page',
    noPageHint: 'The plugin was removed, or the page is not for you.',
    running: '{action} ({count})',
  },
  {
    failed: 'Un élément ajouté ici par l’extension « {plugin} » a échoué',
    tryAgain: 'Réessayer',
    noPage: 'Cette page n’existe pas',
    noPageHint: 'L’extension a été retirée, ou cette page ne vous est pas destinée.',
    running: '{action} ({count})',
  },
)
