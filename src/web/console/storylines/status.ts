import type { Tone } from '../parts'
import type { Enrollment, Storyline } from './types'
import type { StoryKey } from './words'

export const STATUS_WORDS: Record<Enrollment['status'], StoryKey> = {
  offered: 'statusOffered',
  active: 'statusActive',
  paused: 'statusPaused',
  completed: 'statusCompleted',
  exited: 'statusExited',
  failed: 'statusFailed',
}
export const STATUS_TONES: Record<Enrollment['status'], Tone> = {
  offered: 'info',
  active: 'info',
  paused: 'warn',
  completed: 'ok',
  exited: 'quiet',
  failed: 'bad',
}

export const STATE_WORDS: Record<Storyline['status'], StoryKey> = {
  draft: 'stateDraft',
  published: 'statePublished',
  unpublished: 'stateUnpublished',
}
export const STATE_TONES: Record<Storyline['status'], Tone> = {
  draft: 'quiet',
  published: 'ok',
  unpublished: 'warn',
}
