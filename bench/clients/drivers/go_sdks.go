// OpenAI's and Anthropic's Go SDKs against a gateway: BASE_URL and KEY come from the environment, nothing else is adapted.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/anthropics/anthropic-sdk-go"
	anthropicoption "github.com/anthropics/anthropic-sdk-go/option"
	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/responses"
	"github.com/openai/openai-go/v3/shared"
)

var (
	base, key = os.Getenv("BASE_URL"), os.Getenv("KEY")
	ctx       = context.Background()
	client    = openai.NewClient(option.WithBaseURL(base+"/v1"), option.WithAPIKey(key), option.WithMaxRetries(0))
	claude    = anthropic.NewClient(anthropicoption.WithBaseURL(base), anthropicoption.WithAPIKey(key), anthropicoption.WithMaxRetries(0))
	failures  = 0
)

const (
	hello     = "[[sandbox:reply=All lines are clear.]]"
	allClear  = "All lines are clear."
	cities    = "What is the weather in Paris and Tokyo?"
	endlessly = 1000
)

func check(name string, works bool, found ...any) {
	if works {
		fmt.Println("ok   ", name)
		return
	}
	failures++
	fmt.Println("FAIL ", name+":", found)
}

func user(text string) []openai.ChatCompletionMessageParamUnion {
	return []openai.ChatCompletionMessageParamUnion{openai.UserMessage(text)}
}

var person = map[string]any{
	"type": "object", "additionalProperties": false,
	"properties": map[string]any{"name": map[string]any{"type": "string"}}, "required": []string{"name"},
}

func chat() {
	answer, err := client.Chat.Completions.New(ctx, openai.ChatCompletionNewParams{Model: "auto", Messages: user(hello)})
	check("create", err == nil && answer.Choices[0].Message.Content == allClear && answer.Usage.TotalTokens > 0, err)

	stream := client.Chat.Completions.NewStreaming(ctx, openai.ChatCompletionNewParams{
		Model: "auto", Messages: user(hello), StreamOptions: openai.ChatCompletionStreamOptionsParam{IncludeUsage: openai.Bool(true)},
	})
	whole := openai.ChatCompletionAccumulator{}
	for stream.Next() {
		whole.AddChunk(stream.Current())
	}
	check("stream", stream.Err() == nil && whole.Choices[0].Message.Content == allClear && whole.Usage.TotalTokens > 0, stream.Err())

	structured, err := client.Chat.Completions.New(ctx, openai.ChatCompletionNewParams{
		Model: "auto", Messages: user("Ada Lovelace is 36"),
		ResponseFormat: openai.ChatCompletionNewParamsResponseFormatUnion{OfJSONSchema: &shared.ResponseFormatJSONSchemaParam{
			JSONSchema: shared.ResponseFormatJSONSchemaJSONSchemaParam{Name: "person", Strict: openai.Bool(true), Schema: person},
		}},
	})
	var ada struct{ Name string }
	check("structured", err == nil && json.Unmarshal([]byte(structured.Choices[0].Message.Content), &ada) == nil && ada.Name == "Ada Lovelace", err)
}

func tools() {
	params := openai.ChatCompletionNewParams{Model: "auto", Messages: user(cities), Tools: []openai.ChatCompletionToolUnionParam{
		openai.ChatCompletionFunctionTool(shared.FunctionDefinitionParam{Name: "get_weather", Parameters: shared.FunctionParameters{
			"type": "object", "properties": map[string]any{"city": map[string]any{"type": "string"}}, "required": []string{"city"},
		}}),
	}}
	stream, whole, finished := client.Chat.Completions.NewStreaming(ctx, params), openai.ChatCompletionAccumulator{}, 0
	for stream.Next() {
		whole.AddChunk(stream.Current())
		if call, ended := whole.JustFinishedToolCall(); ended && json.Valid([]byte(call.Arguments)) {
			finished++
		}
	}
	check("streamed tools", stream.Err() == nil && finished == 2, stream.Err(), finished)

	asked, err := client.Chat.Completions.New(ctx, params)
	if err != nil || len(asked.Choices[0].Message.ToolCalls) != 2 {
		check("tools", false, err)
		return
	}
	params.Messages = append(params.Messages, asked.Choices[0].Message.ToParam())
	for _, call := range asked.Choices[0].Message.ToolCalls {
		params.Messages = append(params.Messages, openai.ToolMessage("Sunny", call.ID))
	}
	answer, err := client.Chat.Completions.New(ctx, params)
	check("tools", err == nil && answer.Choices[0].FinishReason == "stop", err)
}

func responsesAPI() {
	params := responses.ResponseNewParams{Model: "auto", Input: responses.ResponseNewParamsInputUnion{OfString: openai.String(hello)}}
	answer, err := client.Responses.New(ctx, params)
	check("responses", err == nil && answer.OutputText() == allClear && answer.Usage.TotalTokens > 0, err)
	text, completed := "", false
	stream := client.Responses.NewStreaming(ctx, params)
	for stream.Next() {
		switch event := stream.Current().AsAny().(type) {
		case responses.ResponseTextDeltaEvent:
			text += event.Delta
		case responses.ResponseCompletedEvent:
			completed = true
		}
	}
	check("responses streamed", stream.Err() == nil && text == allClear && completed, stream.Err(), text)
}

func media() {
	image, err := client.Images.Generate(ctx, openai.ImageGenerateParams{
		Prompt: "A signal box", ResponseFormat: openai.ImageGenerateParamsResponseFormatB64JSON,
	})
	check("images", err == nil && len(image.Data[0].B64JSON) > 100, err)
	speech, err := client.Audio.Speech.New(ctx, openai.AudioSpeechNewParams{
		Model: "tts-1", Input: "All clear", Voice: openai.AudioSpeechNewParamsVoiceUnion{OfAudioSpeechNewsVoiceString2: openai.String("alloy")},
	})
	check("speech", err == nil && speech.Header.Get("content-type") == "audio/mpeg", err)
	if err != nil {
		return
	}
	text, err := client.Audio.Transcriptions.New(ctx, openai.AudioTranscriptionNewParams{
		Model: "transcribe-1", File: openai.File(speech.Body, "speech.mp3", "audio/mpeg"),
	})
	check("transcription", err == nil && text.Text != "", err)
	vectors, err := client.Embeddings.New(ctx, openai.EmbeddingNewParams{
		Model: "auto", Input: openai.EmbeddingNewParamsInputUnion{OfArrayOfStrings: []string{"a signal", "a box"}},
	})
	check("embeddings", err == nil && len(vectors.Data) == 2, err)
}

func models() {
	pager, counted := client.Models.ListAutoPaging(ctx), 0
	for pager.Next() && counted < endlessly {
		counted++
	}
	check("models", pager.Err() == nil && counted > 0 && counted < endlessly, pager.Err(), counted)
	claudes, counted := claude.Models.ListAutoPaging(ctx, anthropic.ModelListParams{}), 0
	for claudes.Next() && counted < endlessly {
		counted++
	}
	check("anthropic: models", claudes.Err() == nil && counted > 0 && counted < endlessly, claudes.Err(), counted)
}

func mistakes() {
	var refused *openai.Error
	_, err := client.Chat.Completions.New(ctx, openai.ChatCompletionNewParams{Model: "no-such-model", Messages: user(hello)})
	check("unknown model", errors.As(err, &refused) && refused.StatusCode == 404 && refused.Code == "model_not_found", err)
	_, err = client.Chat.Completions.New(ctx, openai.ChatCompletionNewParams{Model: "auto", Messages: user(hello)}, option.WithAPIKey("pk_test_nobody"))
	check("wrong key", errors.As(err, &refused) && refused.StatusCode == 401 && refused.Message != "", err)
	var claudeRefused *anthropic.Error
	_, err = claude.Messages.New(ctx, claudeParams(hello), anthropicoption.WithAPIKey("pk_test_nobody"))
	check("anthropic: wrong key", errors.As(err, &claudeRefused) && claudeRefused.StatusCode == 401 && claudeRefused.RequestID != "", err)
}

func claudeParams(text string) anthropic.MessageNewParams {
	return anthropic.MessageNewParams{
		Model: "auto", MaxTokens: 500, Messages: []anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock(text))},
	}
}

func messages() {
	answer, err := claude.Messages.New(ctx, claudeParams(hello))
	check("anthropic: create", err == nil && answer.Content[0].Text == allClear && answer.Usage.OutputTokens > 0, err)

	stream, whole := claude.Messages.NewStreaming(ctx, claudeParams(hello)), anthropic.Message{}
	for stream.Next() {
		if err := whole.Accumulate(stream.Current()); err != nil {
			check("anthropic: accumulate", false, err)
		}
	}
	check("anthropic: stream", stream.Err() == nil && whole.Content[0].Text == allClear && whole.StopReason == "end_turn", stream.Err())

	params := claudeParams(cities)
	params.Tools = []anthropic.ToolUnionParam{{OfTool: &anthropic.ToolParam{
		Name: "get_weather", InputSchema: anthropic.ToolInputSchemaParam{Properties: map[string]any{"city": map[string]any{"type": "string"}}},
	}}}
	asked, err := claude.Messages.New(ctx, params)
	if err != nil || asked.StopReason != "tool_use" {
		check("anthropic: tools", false, err)
		return
	}
	results := []anthropic.ContentBlockParamUnion{}
	for _, block := range asked.Content {
		if block.Type == "tool_use" {
			results = append(results, anthropic.NewToolResultBlock(block.ID, "Sunny", false))
		}
	}
	params.Messages = append(params.Messages, asked.ToParam(), anthropic.NewUserMessage(results...))
	told, err := claude.Messages.New(ctx, params)
	check("anthropic: tools", err == nil && len(results) == 2 && told.StopReason == "end_turn", err)

	count, err := claude.Messages.CountTokens(ctx, anthropic.MessageCountTokensParams{Model: "auto", Messages: claudeParams(hello).Messages})
	check("anthropic: token count", err == nil && count.InputTokens > 0, err)
}

func main() {
	for _, work := range []func(){chat, tools, responsesAPI, media, models, mistakes, messages} {
		work()
	}
	if failures > 0 {
		os.Exit(1)
	}
}
