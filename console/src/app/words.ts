import { defineWords } from '../words/words.ts'
import en from './words.en.json'
import fr from './words.fr.json'

export const useAppWords = defineWords(en, fr)
