import { answerCalls } from '../boundary/answer-calls.ts';
import { createEvaluationApi, packedAnswers } from './api.ts';

answerCalls('evaluation', packedAnswers(createEvaluationApi()));
