import { defineWords } from '../../words/words.ts'

export const useHomeWords = defineWords(
  {
    title: 'Home',
    recent: 'Changed lately',
    empty: 'Nothing has been changed yet',
    emptyHint: 'What you and others work on appears here.',
  },
  {
    title: 'Accueil',
    recent: 'Modifiés récemment',
    empty: 'Rien n’a encore été modifié',
    emptyHint: 'Ce sur quoi vous et les autres travaillez apparaît ici.',
  },
)
