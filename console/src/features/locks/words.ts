import { defineWords } from '../../words/words.ts'

export const useLockWords = defineWords(
  {
    mine: 'You have locked this',
    mineHint: 'Until you unlock it, nobody else can change it.',
    theirs: '{name} has locked this',
    theirsHint: 'Until it is unlocked, nobody else can change it.',
    unlock: 'Unlock',
    unlocked: 'Unlocked',
  },
  {
    mine: 'Vous avez verrouillé ce document',
    mineHint: 'Tant que vous ne le déverrouillez pas, personne d’autre ne peut le modifier.',
    theirs: '{name} a verrouillé ce document',
    theirsHint: 'Tant qu’il n’est pas déverrouillé, personne d’autre ne peut le modifier.',
    unlock: 'Déverrouiller',
    unlocked: 'Déverrouillé',
  },
)
