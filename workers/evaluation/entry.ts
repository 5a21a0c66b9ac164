import { answerCalls } from '../boundary/answer-calls.ts';
import { createEvaluationApi } from './api.ts';

answerCalls('evaluation', createEvaluationApi());
