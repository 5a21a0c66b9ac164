import { answerCalls } from '../boundary/answer-calls.ts';
import { createReplayApi } from './api.ts';

answerCalls('replay', createReplayApi());
