import { answer } from '../../../src/chat/answer'
import type { TurnPorts } from '../../../src/chat/run-turn'
import { askForPerson, declinePerson } from '../../../src/chat/steps/ask-for-person'
import { askWhich } from '../../../src/chat/steps/ask-which'
import { type CtaPorts, showCall, thinkOfCall } from '../../../src/chat/steps/call-to-action'
import { lookDeeper, type ResearchPorts, reportOn } from '../../../src/chat/steps/deep-research'
import { findWhatItLeansOn } from '../../../src/chat/steps/find-what-it-leans-on'
import { followAnchors } from '../../../src/chat/steps/follow-anchors'
import { followStoryline } from '../../../src/chat/steps/follow-storyline'
import { guardMessage } from '../../../src/chat/steps/guard-message'
import { handOver } from '../../../src/chat/steps/hand-over'
import { lookUp } from '../../../src/chat/steps/look-up'
import { noticePictures } from '../../../src/chat/steps/notice-pictures'
import { noticeSmallTalk } from '../../../src/chat/steps/notice-small-talk'
import { offerClosest } from '../../../src/chat/steps/offer-closest'
import { requireMatch } from '../../../src/chat/steps/require-match'
import { rewriteFollowUp } from '../../../src/chat/steps/rewrite-follow-up'
import { searchAlone } from '../../../src/chat/steps/search-alone'
import { searchBases } from '../../../src/chat/steps/search-bases'
import { showAsked } from '../../../src/chat/steps/show-asked'
import { showStoryline } from '../../../src/chat/steps/show-storyline'
import { startStoryline } from '../../../src/chat/steps/start-storyline'
import type { TurnSteps } from '../../../src/chat/steps/step'
import { showFollowUps, suggestNext, thinkAhead } from '../../../src/chat/steps/suggest'
import { takeAnswer } from '../../../src/chat/steps/take-answer'
import { waitForPerson } from '../../../src/chat/steps/wait-for-person'
import type { GuidePorts } from '../../../src/chat/storyline/scene'
import type { SuggestPorts } from '../../../src/chat/suggest'

/** All that happens in a turn, in this order. A new ability of the turn is a file in `src/chat/steps` and a line here. */
export const turnSteps = (
  ports: TurnPorts & GuidePorts & SuggestPorts & CtaPorts & ResearchPorts,
): TurnSteps => ({
  before: [
    waitForPerson(ports),
    noticePictures,
    guardMessage,
    askForPerson,
    takeAnswer(ports),
    noticeSmallTalk,
    lookUp(ports),
    findWhatItLeansOn,
    followStoryline(ports),
    declinePerson(ports),
    rewriteFollowUp(ports),
    lookDeeper(ports),
    searchBases(ports),
    searchAlone(ports),
    requireMatch,
    askWhich(ports),
    thinkAhead(ports),
    thinkOfCall(ports),
  ],
  answer: answer(ports),
  report: reportOn(ports, answer(ports)),
  after: [
    offerClosest,
    startStoryline(ports),
    handOver(ports),
    showAsked,
    showStoryline,
    followAnchors,
    showCall(ports),
    suggestNext,
    showFollowUps,
  ],
})
